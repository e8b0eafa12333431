// Who looks at this page, and what this browser keeps: its role, whose tablet it is, and its colours.

import { h } from './dom.js';
import { say, sayParts } from './say.js';

/* What the browser keeps, where it keeps anything: private windows and strict settings may forbid it */

/** Whether the virtual tray lies next to the table in this window: 'open', or nothing. */
export const TRAY_DRAWER = 'vander.tray-drawer';

/** How much the caller says on this tablet. */
export const CALLER_LEVEL = 'vander.caller';

/** Return what is stored, or null. @param {'localStorage' | 'sessionStorage'} area @param {string} key @returns {string | null} */
export function load(area, key) {
  try {
    return window[area].getItem(key);
  } catch {
    return null;
  }
}

/** Store a text, or remove it with null; return true if that worked. @param {'localStorage' | 'sessionStorage'} area @param {string} key @param {string | null} text @returns {boolean} */
export function store(area, key, text) {
  try {
    if (text === null) window[area].removeItem(key);
    else window[area].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/* Colours */

/** @typedef {'' | 'light' | 'dark'} Theme '' is the device's own */

const THEMES = /** @type {Theme[]} */ (['', 'light', 'dark']);
const THEME_SENTENCES = { '': say('Colours: as on this device'), light: say('Colours: light'), dark: say('Colours: dark') };

/** Return a stored theme, '' for anything unknown. @param {string | null} stored @returns {Theme} */
export const knownTheme = (stored) => (stored === 'light' || stored === 'dark' ? stored : '');

/** Return the theme after this one. @param {Theme} theme @returns {Theme} */
export const nextTheme = (theme) => THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];

/** Return what is said about a theme. @param {Theme} theme @returns {string} */
export const themeSentence = (theme) => THEME_SENTENCES[theme];

/* Who looks */

/** Return the role of this browser. @returns {string} */
export const role = () => document.body.dataset.role ?? '';

/** Return true if this browser may decide at the table. @returns {boolean} */
export const mayDecide = () => !['watcher', 'camera'].includes(role());

/** Return true if this browser is a keeper's. @returns {boolean} */
export const isKeeper = () => role() === 'keeper';

/** What is said before the last keeper's tablet is made a player's, is forgotten or leaves. */
export const LAST_KEEPER = say('No keeper is left then. Only the box can make another. Press its button while it shows a code, or tap “Let one in” on its own screen.');

const SEAT_KEY = 'vander.tablet';

/** Kept by name, so that it holds for the next game too. */
let ownName = load('localStorage', SEAT_KEY) ?? '';

/** Return the seat whose tablet this is; 0 for the whole table's, or if its player does not play now. @param {{seat: number, name: string}[]} players @returns {number} */
export const ownSeat = (players) => players.find(({ name }) => name === ownName)?.seat ?? 0;

/** Draw the choice at the foot of the page; `changed` runs after another seat is chosen. @param {{seat: number, name: string}[] | null} players @param {() => void} changed @returns {any} */
export function drawOwnSeat(players, changed) {
  if (!players || players.length < 2) return [];
  const choose = (event) => {
    ownName = event.target.value;
    store('localStorage', SEAT_KEY, ownName);
    changed();
  };
  const options = [['', say('the whole table’s')], ...players.map(({ name }) => [name, say('{name}’s', { name })])];
  const choice = h('select', { id: 'own-seat', 'data-key': 'own-seat', onchange: choose },
    options.map(([value, words]) => h('option', { value, selected: value === ownName }, words)));
  return h('label', {}, sayParts('This tablet is {choice}', { choice }));
}
