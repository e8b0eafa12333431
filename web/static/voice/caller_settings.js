// How much the caller says on this tablet, and in which language: off until somebody asks for it.

import { load } from '../storage.js';

/** Where this tablet keeps how much is said. */
export const LEVEL_KEY = 'vander.caller';
/** Where this tablet keeps the language. */
export const LANGUAGE_KEY = 'vander.caller.language';

/** Each level with its name and what is heard. */
export const LEVELS = [
  ['off', 'Off', 'Nothing is heard on this tablet.'],
  ['low', 'A little', 'Sounds, what ends a turn, and scores.'],
  ['all', 'Everything', 'Every throw, and whose turn it is, too.'],
];

/** Return the stored level, 'off' for none. @returns {string} */
export function storedLevel() {
  const stored = load('localStorage', LEVEL_KEY) ?? '';
  return LEVELS.some(([level]) => level === stored) ? stored : 'off';
}

/** Return the language that is wanted: the stored one, else the browser's. @returns {string} */
export const storedLanguage = () => load('localStorage', LANGUAGE_KEY) ?? navigator.language.slice(0, 2);
