// What every page does with its display: light or dark colours, its language, a screen that stays on while it is wanted, and the
// worker that answers while the table is away.

import { byId, toast } from './dom.js';
import { language } from './say.js';
import { knownTheme, load, nextTheme, store, themeSentence } from './viewer.js';

/* The languages that a page offers: a tap keeps the choice in a cookie, which the server reads, and loads the page again */

const A_YEAR_S = 365 * 24 * 3600;

for (const each of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-language]'))) {
  each.addEventListener('click', () => chooseLanguage(each.dataset.language ?? language));
}

function chooseLanguage(wanted) {
  document.cookie = `language=${wanted}; path=/; max-age=${A_YEAR_S}; samesite=strict`;
  if (wanted !== language) location.reload();
}

/* A screen that stays on, where the browser allows it: over https and on localhost */

let isWanted = false;
/** @type {WakeLockSentinel | null} */
let screenLock = null;
let isAsking = false;

async function followScreen() {
  const isDue = isWanted && !document.hidden;
  if (!isDue) {
    const held = screenLock;
    screenLock = null;
    await held?.release().catch(() => null);
    return;
  }
  if (screenLock || isAsking || !navigator.wakeLock) return;
  isAsking = true;
  screenLock = await navigator.wakeLock.request('screen').catch(() => null); // refused on a low battery: the page works without
  isAsking = false;
  screenLock?.addEventListener('release', () => (screenLock = null));
  if (!isWanted) followScreen();
}

/** Keep the screen on, or let it go dark as the device wants. @param {boolean} isPlaying @returns {void} */
export function keepScreenOn(isPlaying) {
  if (isPlaying === isWanted) return;
  isWanted = isPlaying;
  followScreen();
}

document.addEventListener('visibilitychange', followScreen);

/* Colours, and the worker */

const THEME_KEY = 'vander.theme';

const button = byId('colours');
let theme = knownTheme(load('localStorage', THEME_KEY));

function showTheme() {
  document.dispatchEvent(new CustomEvent('vander:theme', { detail: theme })); // heard by early.js
  button?.setAttribute('aria-label', themeSentence(theme));
  button?.setAttribute('title', themeSentence(theme));
}

button?.addEventListener('click', () => {
  theme = nextTheme(theme);
  store('localStorage', THEME_KEY, theme || null);
  showTheme();
  toast(`${themeSentence(theme)}.`);
});

showTheme();
// Browsers offer workers to https and to localhost alone; elsewhere the page works without one.
addEventListener('load', () => navigator.serviceWorker?.register('/service-worker.js').catch(() => null));
