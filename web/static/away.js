// The page that the worker shows while the table does not answer: it asks until somebody does, then loads what was wanted.

import { getJson } from './api.js';
import { byId } from './dom.js';

const ASK_MS = 2000;

async function ask() {
  const answer = await getJson('/api/door').catch(() => null);
  if (answer) location.assign(location.pathname === '/away' ? '/' : location.href);
}

byId('look-again').addEventListener('click', ask);
addEventListener('online', ask);
setInterval(ask, ASK_MS);
