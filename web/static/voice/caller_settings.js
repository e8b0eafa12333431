// How much the caller says on this tablet, and in which language: off until somebody asks for it.

import { language, say } from '../say.js';
import { load } from '../storage.js';

/** Where this tablet keeps how much is said. */
export const LEVEL_KEY = 'vander.caller';
/** Where this tablet keeps the language. */
export const LANGUAGE_KEY = 'vander.caller.language';
/** Where this tablet keeps whose voice it is. */
export const VOICE_KEY = 'vander.caller.voice';

/** Each level with its name and what is heard. */
export const LEVELS = [
  ['off', say('Off'), say('Nothing is heard on this tablet.')],
  ['low', say('A little'), say('Sounds, what ends a turn, and scores.')],
  ['all', say('Everything'), say('Every throw, and whose turn it is, too.')],
];

/** Return the stored level, 'off' for none. @returns {string} */
export function storedLevel() {
  const stored = load('localStorage', LEVEL_KEY) ?? '';
  return LEVELS.some(([level]) => level === stored) ? stored : 'off';
}

/** Return the language that is wanted: the one chosen for it, else the page's. @returns {string} */
export const storedLanguage = () => load('localStorage', LANGUAGE_KEY) ?? language;

/** Return the family's voice that is wanted, '' for the one that comes with Vander. @returns {string} */
export const storedVoice = () => load('localStorage', VOICE_KEY) ?? '';
