// What the page of the dice test shows: the verdict in words, and the places of a plot's bars. No DOM.

import { listed } from './format.js';
import { queryOf } from './past_games_view.js';
import { locale, say } from './say.js';

/**
 * @typedef {{face: string, title: string, read: number, expected: number, low: number, high: number}} Face
 * @typedef {{kind: string, title: string, dice: number, needed: number, p_value: number, is_suspicious: boolean, faces: Face[]}} Kind
 */

const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });

/** Return a count as the page's language writes it. @param {number} count @returns {string} */
export const count = (count) => whole.format(count);

/** Return the address of the games behind a count: those with throws of a set of dice, in which a face was read where one is given. @param {string} dice the die set @param {string} kind @param {string} face @returns {string} */
export const behind = (dice, kind = '', face = '') => `/history${queryOf({ dice, face: face && `${kind}:${face}` })}`;

/** Return what the test found. @param {Kind} kind @param {number} checked dice of which people said whether they were read right @returns {string} */
export function verdict({ is_suspicious, p_value }, checked) {
  if (!checked) return say('Nobody has answered yet whether throws were read right, so nothing can be said.');
  const chance = share.format(p_value);
  return is_suspicious
    ? say('Uneven beyond chance: only {chance} of fair dice are read so unevenly.', { chance })
    : say('Nothing speaks against fair dice: {chance} of fair dice are read so unevenly or more.', { chance });
}

/** Return how many throws the test needs, and whether there are enough. @param {Kind} kind @returns {string} */
export function enough({ dice, needed }) {
  const counts = { dice: count(dice), needed: count(needed) };
  if (!needed) return say('{dice} dice were read. Say of more throws whether they were read right: as yet no number of dice finds a loaded one.', counts);
  return dice >= needed
    ? say('{dice} dice were read. That finds a die that shows one face a fifth more often in 8 of 10 cases ({needed}).', counts)
    : say('{dice} dice were read. With {needed}, a die that shows one face a fifth more often is found in 8 of 10 cases.', counts);
}

/** Return the highest count of a plot. @param {Face[]} faces @returns {number} */
export const top = (faces) => Math.max(1, ...faces.map(({ read, high }) => Math.max(read, high))) * 1.05;

/** Return the faces as a plot has them, in fractions of its height from the foot. @param {Face[]} faces @returns {(Face & {bar: number, mark: number, from: number, to: number, isOutside: boolean})[]} */
export function bars(faces) {
  const highest = top(faces);
  return faces.map((face) => ({
    ...face, bar: face.read / highest, mark: face.expected / highest, from: face.low / highest, to: face.high / highest,
    isOutside: face.read < face.low || face.read > face.high,
  }));
}

/**
 * @typedef {{kind: string, read: string, shows: string, is_wrong: boolean}} CheckedDie
 */

/** Return the dice of a checked throw that were read right, in words: "3 × Green, Yellow"; '' for none. @param {CheckedDie[]} dice @returns {string} */
export function rightDice(dice) {
  const faces = new Map();
  for (const { shows } of dice.filter(({ is_wrong }) => !is_wrong)) faces.set(shows, (faces.get(shows) ?? 0) + 1);
  return listed([...faces].map(([face, times]) => (times > 1 ? say('{count} × {face}', { count: times, face }) : face)));
}

/** Return a sentence for each die of a checked throw that was read wrong. @param {CheckedDie[]} dice @returns {string[]} */
export const wrongDice = (dice) => dice.filter(({ is_wrong }) => is_wrong).map(({ read, shows }) => say('Read as {read}, and it shows {shows}', { read, shows }));
