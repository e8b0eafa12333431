// New dice before they are made: what was typed, and what is wrong with it. No DOM.

import { duplicate } from '../format.js';
import { say } from '../say.js';

const USUAL_FACES = 6;

/** The most faces that a kind of die may have. */
export const MOST_FACES = 20;

/**
 * @typedef {{title: string, count: string, faces: string[]}} KindDraft texts as typed
 * @typedef {{title: string, kinds: KindDraft[]}} DieSetDraft
 * @typedef {{title: string, kinds: {title: string, count: number, faces: string[]}[]}} DieSetRequest
 */

/** Return a new kind: six faces without names. @param {string} title @returns {KindDraft} */
export const newKind = (title) => ({ title, count: '1', faces: Array(USUAL_FACES).fill('') });

/** Return new dice without a name: one kind. @returns {DieSetDraft} */
export const newDraft = () => ({ title: '', kinds: [newKind(say('Die'))] });

/** Return the numbers from 1 as face names. @param {number} last @returns {string[]} */
export const numbersTo = (last) => Array.from({ length: last }, (_, place) => String(place + 1));

/** Return the draft as the API takes it. @param {DieSetDraft} draft @returns {DieSetRequest} */
export const requestOf = ({ title, kinds }) => ({
  title: title.trim(),
  kinds: kinds.map((kind) => ({ title: kind.title.trim(), count: Number(kind.count), faces: kind.faces.map((face) => face.trim()) })),
});

/** Return what is wrong with a request, '' for nothing. @param {DieSetRequest} request @returns {string} */
export function problemOf({ title, kinds }) {
  if (!title) return say('Give the dice a name.');
  if (kinds.some((kind) => !kind.title)) return say('Give every kind of die a name.');
  if (kinds.some(({ count }) => !Number.isInteger(count) || count < 1)) return say('How many dice there are of a kind is a whole number from 1.');
  const double = kinds.map(({ faces }) => duplicate(faces.map((face, place) => face || say('Face {number}', { number: place + 1 })))).find(Boolean);
  return double ? say('Two faces are called {face}; give each a name of its own.', { face: double }) : '';
}
