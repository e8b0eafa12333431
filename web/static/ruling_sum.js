// The sum of a ruling: the dice that counted, with their pictures as they were first seen, and their worth.

import { pictureUrl } from './api.js';
import { faceOrTitle } from './die_faces.js';
import { h } from './dom.js';
import { say } from './say.js';

/** More dice of one face than this are one die with their number. */
const MOST_DRAWN = 5;

/**
 * @typedef {{kind: string, face: string, title: string}} CountedDie
 * @typedef {{dice: CountedDie[], worth: number, label: string}} Term
 * @typedef {{terms: Term[], times: number, total: number}} Sum
 */

/**
 * Return a sum as it is drawn, null for none: each term's dice with the names of their crops ('' for none), how many
 * dice each drawn one stands for, and its worth in words ('' where the dice say it).
 * @param {Sum | null} sum @param {{kind: string, face: string, crop: string}[]} seen the dice on the table
 * @returns {{terms: {dice: (CountedDie & {crop: string})[], count: number, worth: string, label: string}[], times: number, total: number, words: string} | null}
 */
export function sumView(sum, seen) {
  if (!sum?.terms.length) return null;
  const left = [...seen];
  const isAlone = sum.terms.length === 1 && sum.times === 1;
  const terms = sum.terms.map(({ dice, worth, label }) => {
    const shown = dice.map((die) => ({ ...die, crop: takeCrop(left, die) }));
    const isMany = dice.length > MOST_DRAWN && dice.every(({ face }) => face === dice[0].face);
    return { dice: isMany ? shown.slice(0, 1) : shown, count: isMany ? dice.length : 1, worth: isAlone || saysIt(dice, worth) ? '' : String(worth), label };
  });
  return { terms, times: sum.times, total: sum.total, words: wordsOf(sum) };
}

/** Take the crop of a die that shows the face away from those on the table, so that each is used once. */
function takeCrop(left, { kind, face }) {
  const place = left.findIndex((die) => die.kind === kind && die.face === face && die.crop);
  return place < 0 ? '' : left.splice(place, 1)[0].crop;
}

/** True if the only die shows its worth as a number. */
const saysIt = (dice, worth) => dice.length === 1 && /^(pip|digit)-\d+$/.test(dice[0].face) && Number(dice[0].face.split('-')[1]) === worth;

/** A sum for a screen reader: `three Happy, 300, plus 50 before: 350`. */
function wordsOf({ terms, times, total }) {
  const parts = terms.map(({ dice, worth, label }) => [diceWords(dice), String(worth), label].filter(Boolean).join(' '));
  const sum = parts.reduce((before, term) => say('{before} plus {term}', { before, term }));
  return times > 1 ? say('{sum}, times {times} is {total}', { sum, times, total }) : say('{sum} is {total}', { sum, total });
}

function diceWords(dice) {
  const counts = new Map();
  for (const { title } of dice) counts.set(title, (counts.get(title) ?? 0) + 1);
  const words = [...counts].map(([title, count]) => (count > 1 ? `${count} × ${title}` : title));
  return words.length ? `${words.join(', ')}:` : '';
}

/**
 * Return the sums of calls with their crops as they were when the calls were first shown: dice that are taken up
 * later change nothing. `memory` is what the last call of this function returned, null at first.
 * @param {{key: string, sums: any[]} | null} memory @param {string} key the entry of the calls @param {{sum: Sum | null}[]} calls @param {any[]} dice
 * @returns {{key: string, sums: any[]}}
 */
export function rememberSums(memory, key, calls, dice) {
  return memory?.key === key ? memory : { key, sums: calls.map(({ sum }) => sumView(sum, dice)) };
}

/** Draw dice with their worth, and what they add up to. @param {any} sum as `sumView` returns it @param {Map<string, string>} bodies the colours of the kinds of dice @returns {HTMLElement} */
export const drawSum = ({ terms, times, total, words }, bodies) => h('div', { class: 'sum', role: 'img', 'aria-label': words },
  terms.map((term, place) => [place > 0 && h('span', {}, '+'), drawTerm(term, bodies)]).flat(),
  times > 1 && h('span', {}, `× ${times}`), h('span', { class: 'total' }, `= ${total}`));

const drawTerm = ({ dice, count, worth, label }, bodies) => h('span', { class: 'sum-term' },
  dice.length > 0 && h('span', { class: 'sum-dice' }, dice.map((die) => drawDie(die, bodies))),
  count > 1 && h('span', {}, `× ${count}`), worth && h('span', {}, worth), label && h('small', {}, label));

function drawDie({ kind, face, title, crop }, bodies) {
  if (!crop) return drawing(face, title, bodies.get(kind));
  const image = h('img', { src: pictureUrl(crop), alt: '', width: 34, height: 34 });
  image.addEventListener('error', () => image.replaceWith(drawing(face, title, bodies.get(kind))), { once: true });
  return image;
}

/** Draw a face that was read on a die of that colour; without a drawing of its own by its title. @param {string} face @param {string} title @param {string} [body] @returns {SVGElement} */
export const drawing = (face, title, body) => faceOrTitle(face, title || '?', 'face', body);
