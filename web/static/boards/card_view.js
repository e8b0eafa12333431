// How cards, chips and the sections of a board are drawn: stacks, fans, sums and marks, as plain values. No DOM.

import { say, sayCount } from '../say.js';

const FIVES = 5;
const TALLEST = 10;

/** Return the chips of a value as stacks of so many chips: fives first, then ones. @param {number} value @returns {{worth: number, count: number}[]} */
export function chipStacks(value) {
  const fives = Math.floor(Math.max(0, value) / FIVES);
  const ones = Math.max(0, value) % FIVES;
  const full = Array.from({ length: Math.floor(fives / TALLEST) }, () => ({ worth: FIVES, count: TALLEST }));
  return [...full, { worth: FIVES, count: fives % TALLEST }, { worth: 1, count: ones }].filter(({ count }) => count > 0);
}

/** Return what stands under discarded cards: the first and the last. @param {string[]} discarded @returns {string} */
export function discardWords(discarded) {
  if (!discarded.length) return say('none discarded');
  return discarded.length === 1 ? say('{card} discarded', { card: discarded[0] }) : say('{card} to {other} discarded', { card: discarded[0], other: discarded.at(-1) });
}

/** Return a card in words, for a screen reader: its face, what lies on it, and the dice that make it. @param {any} card @returns {string} */
export function cardWords({ face, dice, holds, made_of: madeOf }) {
  const rolled = dice.length ? sayCount('rolls {count} die', 'rolls {count} dice', dice.length) : '';
  const sum = madeOf.map(({ title }) => title).join(' + ');
  return [face ? say('card {card}', { card: face }) : say('no card'), rolled, holds && say('{what} on it', { what: holds }), sum && say('made of {sum}', { sum })].filter(Boolean).join(', ');
}

const MARKS = { '': say('empty'), open: say('open'), done: say('closed'), blocked: say('blocked'), here: say('here') };

/** Return a section's places as little marks: the number, how it stands, and the share of its room that is filled. @param {any[]} places @returns {{key: string, label: string, mark: string, words: string, filled: number}[]} */
export const sectionMarks = (places) => places.map(({ key, title, mark, dice, room }) => ({
  key,
  label: key,
  mark,
  words: `${title} ${MARKS[mark] ?? mark}`,
  filled: room ? Math.min(1, dice.length / room) : 0,
}));

/** Return which of some dice on the table make a sum: their places, each die once. @param {{kind: string, face: string}[]} dice @param {{kind: string, face: string}[]} madeOf @returns {number[]} */
export function placesOf(dice, madeOf) {
  const left = [...madeOf];
  return dice.flatMap(({ kind, face }, place) => {
    const found = left.findIndex((die) => die.kind === kind && die.face === face);
    if (found < 0) return [];
    left.splice(found, 1);
    return [place];
  });
}
