// Which colours come next when the button is tapped, and what is said about them. No DOM.

import { say } from './say.js';

/** @typedef {'' | 'light' | 'dark'} Theme '' is the device's own */

const ORDER = /** @type {Theme[]} */ (['', 'light', 'dark']);
const SENTENCES = { '': say('Colours: as on this device'), light: say('Colours: light'), dark: say('Colours: dark') };

/** Return a stored theme, '' for anything unknown. @param {string | null} stored @returns {Theme} */
export const knownTheme = (stored) => (stored === 'light' || stored === 'dark' ? stored : '');

/** Return the theme after this one. @param {Theme} theme @returns {Theme} */
export const nextTheme = (theme) => ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length];

/** Return what is said about a theme. @param {Theme} theme @returns {string} */
export const themeSentence = (theme) => SENTENCES[theme];
