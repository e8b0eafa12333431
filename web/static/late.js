// Lazy loading of page parts: a module with all that it imports, and its stylesheets, when it is first needed.

import { getText } from './api.js';
import { h, toast } from './dom.js';
import { say } from './say.js';

const NOT_LOADED = say('This did not load. Is the Wi-Fi on? Tap again.');
const IMPORTED = /^(?:import|export)\b[^;'"]*['"](\.{1,2}\/[^'"]+)['"]/gm;

/** Addresses of modules that the browser has: those of the page, and those that were fetched since. */
const fetched = new Set([.../** @type {NodeListOf<any>} */ (globalThis.document?.querySelectorAll('link[rel="modulepreload"], script[type="module"]') ?? [])].map(({ href, src }) => href ?? src));

/**
 * Return a part of the page, which is loaded when it is used first. `use` gives its module to a function, at once where it is
 * loaded, or says in one sentence that it did not load, and calls `onFailure`: the next use tries again. `loaded` is the module,
 * or null before that.
 * @param {string} path of the module, from this folder @param {...string} stylesheets
 * @returns {{use: (act: (module: any) => any, onFailure?: () => void) => any, readonly loaded: any, readonly isLoading: boolean}}
 */
export function latePart(path, ...stylesheets) {
  let loaded = null;
  let loading = null;
  const load = async () => {
    [loaded] = await Promise.all([importModule(addressOf(path)), ...stylesheets.map((each) => addStylesheet(addressOf(each)))]);
  };
  const loadAnd = async (act, onFailure) => {
    loading ??= load().catch(() => (loading = null));
    await loading;
    if (loaded) return act(loaded);
    toast(NOT_LOADED);
    return onFailure?.();
  };
  return {
    get loaded() {
      return loaded;
    },
    get isLoading() {
      return !loaded && Boolean(loading);
    },
    use: (act, onFailure) => (loaded ? act(loaded) : loadAnd(act, onFailure)),
  };
}

const addressOf = (path) => new URL(path, import.meta.url).href;

/** Import a module once all of its files are there: a browser never asks again for a module that once failed to load. */
async function importModule(url) {
  await fetchModule(url);
  return import(url);
}

async function fetchModule(url) {
  if (fetched.has(url)) return;
  fetched.add(url);
  try {
    const text = await getText(url);
    await Promise.all([...text.matchAll(IMPORTED)].map(([, path]) => fetchModule(new URL(path, url).href)));
  } catch (error) {
    fetched.delete(url);
    throw error;
  }
}

const isStyled = (url) => [...document.styleSheets].some(({ href }) => href === url);

const addStylesheet = (url) => isStyled(url) || new Promise((resolve, reject) => {
  const link = h('link', { rel: 'stylesheet', href: url, onload: resolve, onerror: () => {
    link.remove();
    reject(new Error(`${url} did not load`));
  } });
  document.head.append(link);
});

/* What the table page loads when it is wanted first: nobody waits for it, and it is not asked for, before the game is seen */

/** The referee's questions. */
export const questions = latePart('questions.js', 'questions.css', 'challenge.css');
/** Setting up a game. */
export const setup = latePart('setup.js', 'rules.css');
/** Dialogs over the table: a row of a board, the chances, the correction of a die, what the table agrees on. */
export const tableDialogs = latePart('table_dialogs.js', 'questions.css');
/** Where no camera sees the tray, people say what their dice show. */
export const manualEntry = latePart('manual_entry.js');
/** The cards that ask something next to the game. */
export const tableCards = latePart('table_cards.js', 'questions.css');
/** The sheet of a past throw, with its film. */
export const challenge = latePart('challenge.js', 'questions.css', 'challenge.css');
/** The table before and after a breach. */
export const beforeAfter = latePart('film_player.js', 'questions.css', 'challenge.css');
/** The rules of a game, and how it is played. */
export const rulesSheet = latePart('rules_sheet.js', 'rules.css');
/** What moves on the virtual tray. */
export const virtualTray = latePart('virtual_tray.js', 'virtual_tray.css');
/** What is called out on this tablet, and the dialog in which the caller is let speak. */
export const caller = latePart('voice/caller.js', 'voice/voice.css');
