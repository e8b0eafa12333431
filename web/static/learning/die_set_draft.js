// New dice before they are made: what was typed, and what is wrong with it. No DOM.

import { duplicate } from '../format.js';
import { say } from '../say.js';

const USUAL_FACES = 6;
const USUAL_EDGE_MM = 16;

/** The most faces that a kind of die may have. */
export const MOST_FACES = 20;

/**
 * @typedef {{title: string, count: string, faces: string[]}} KindDraft texts as typed
 * @typedef {{title: string, edge: string, kinds: KindDraft[]}} DieSetDraft `edge` in millimetres
 * @typedef {{title: string, edge_mm: number, kinds: {title: string, count: number, faces: string[]}[]}} DieSetRequest
 */

/** Return a new kind: six faces without names. @param {string} title @returns {KindDraft} */
export const newKind = (title) => ({ title, count: '1', faces: Array(USUAL_FACES).fill('') });

/** Return new dice without a name: one kind. @returns {DieSetDraft} */
export const newDraft = () => ({ title: '', edge: String(USUAL_EDGE_MM), kinds: [newKind(say('Die'))] });

/** Return the numbers from 1 as face names. @param {number} last @returns {string[]} */
export const numbersTo = (last) => Array.from({ length: last }, (_, place) => String(place + 1));

/** Return the draft as the API takes it; the edge may be typed with a decimal comma. @param {DieSetDraft} draft @returns {DieSetRequest} */
export const requestOf = ({ title, edge, kinds }) => ({
  title: title.trim(),
  edge_mm: Number(edge.replace(',', '.')),
  kinds: kinds.map((kind) => ({ title: kind.title.trim(), count: Number(kind.count), faces: kind.faces.map((face) => face.trim()) })),
});

/** Return what is wrong with a request, '' for nothing. @param {DieSetRequest} request @returns {string} */
export function problemOf({ title, edge_mm: edge, kinds }) {
  if (!title) return say('Give the dice a name.');
  if (!(edge > 0)) return say('The edge of a die is a number of millimetres; most dice have 16.');
  if (kinds.some((kind) => !kind.title)) return say('Give every kind of die a name.');
  if (kinds.some(({ count }) => !Number.isInteger(count) || count < 1)) return say('How many dice there are of a kind is a whole number from 1.');
  const double = kinds.map(({ faces }) => duplicate(faces.map((face, place) => face || say('Face {number}', { number: place + 1 })))).find(Boolean);
  return double ? say('Two faces are called {face}; give each a name of its own.', { face: double }) : '';
}
