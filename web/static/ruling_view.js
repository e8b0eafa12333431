// What the ruling's card shows of a call: the sum of its dice, with the pictures of those that counted. No DOM.

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
