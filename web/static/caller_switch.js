// The way to the caller, which is loaded once somebody has let it speak on this tablet.

import { byId } from './dom.js';
import { load } from './storage.js';
import { toast } from './toast.js';

const LEVEL_KEY = 'vander.caller';

/** @type {typeof import('./voice/caller.js') | null} */
let caller = null;

/** Let the caller say nothing of what the page did not see happen. @returns {void} */
export const forgetSpoken = () => caller?.forgetSpoken();

async function loadCaller() {
  caller ??= await import('./voice/caller.js');
}

async function openCaller() {
  try {
    await loadCaller();
    const { openCaller: open } = await import('./voice/caller_dialog.js');
    await open();
  } catch {
    toast('The table did not answer. Try again in a moment.');
  }
}

byId('caller').addEventListener('click', openCaller);
if ((load('localStorage', LEVEL_KEY) ?? 'off') !== 'off') loadCaller().catch(() => null);
