// What every page does with its display: light or dark colours, its language, and the worker that answers while the table is away.

import { byId } from './dom.js';
import { prepareLanguages } from './language_choice.js';
import { load, store } from './storage.js';
import { knownTheme, nextTheme, themeSentence } from './theme_view.js';
import { toast } from './toast.js';

const KEY = 'vander.theme';

const button = byId('colours');
let theme = knownTheme(load('localStorage', KEY));

function showTheme() {
  document.dispatchEvent(new CustomEvent('vander:theme', { detail: theme })); // heard by theme.js
  button?.setAttribute('aria-label', themeSentence(theme));
  button?.setAttribute('title', themeSentence(theme));
}

button?.addEventListener('click', () => {
  theme = nextTheme(theme);
  store('localStorage', KEY, theme || null);
  showTheme();
  toast(`${themeSentence(theme)}.`);
});

showTheme();
prepareLanguages();
// Browsers offer workers to https and to localhost alone; elsewhere the page works without one.
addEventListener('load', () => navigator.serviceWorker?.register('/service-worker.js').catch(() => null));
