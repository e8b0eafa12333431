// Dice that lie wrong: the two rows (as they should be, as they lie), what is to be done, and what changes where it is not. No DOM.

import { possessive } from './format.js';

const AS_IT_LIES = 'as-it-lies';
const WAS_THROWN = 'thrown';
const PLACES = { aside: 'into the bay', field: 'onto the field', signal: 'onto its spot' };
/** Where a die lies, in a word under its picture. */
export const PLACE_WORDS = { aside: 'bay', field: 'field', signal: 'spot' };

/** Return the answers of a question; apart from them the one that goes on as the dice lie, null without one, and those that say that a die which was found turned or laid was thrown: that is never the first button. @param {any[]} choices @returns {{own: any[], denials: any[], asTheyLie: any | null}} */
export function splitAnswers(choices) {
  const own = choices.filter(({ answer }) => answer !== AS_IT_LIES);
  const asTheyLie = choices.find(({ answer }) => answer === AS_IT_LIES) ?? null;
  const isFound = own.every(({ answer }) => answer === WAS_THROWN);
  return isFound ? { own: [], denials: own, asTheyLie } : { own, denials: [], asTheyLie };
}

/**
 * Return the columns of the two rows, in the dice's own order: each die as it should be and as it lies. A die that lies
 * right is the same in both; one that is not there has nothing in the lower row.
 * @param {any[]} wrong @param {any[]} dice @returns {{number: number, isWrong: boolean, words: string, should: any, lies: any | null}[]}
 */
export function twoRows(wrong, dice) {
  const byNumber = new Map(wrong.filter(({ die }) => die).map((each) => [each.die, each]));
  const unseen = wrong.filter(({ die }) => die && !dice.some(({ number }) => number === die));
  const there = dice.map((die) => (byNumber.has(die.number) ? wrongColumn(byNumber.get(die.number), die) : rightColumn(die)));
  return [...there, ...unseen.map((each) => wrongColumn(each, null)), ...wrong.filter(({ die }) => !die).map((each) => wrongColumn(each, null))];
}

function wrongColumn(wrong, die) {
  const should = { face: wrong.face, title: wrong.title, crop: wrong.crop_before, picture: wrong.picture ?? '', place: PLACE_WORDS[wrong.place] ?? '' };
  const here = wrong.place && die ? PLACE_WORDS[die.zone] ?? '' : '';
  const lies = wrong.die ? { face: die?.face ?? '', title: wrong.shows, crop: wrong.crop_now, picture: '', place: here } : null;
  return { number: wrong.die, isWrong: true, words: putBackWords(wrong), should, lies };
}

function rightColumn({ number, face, title, crop }) {
  const look = { face, title, crop, picture: '', place: '' };
  return { number, isWrong: false, words: `${title || 'A die'} lies right`, should: look, lies: look };
}

/** Return what is to be done with a die that lies wrong, for those who cannot see its pictures. @param {any} wrong @returns {string} */
export function putBackWords({ die, title, shows, place }) {
  const where = PLACES[place] ? ` ${PLACES[place]}` : '';
  if (!die) return `Lay a die${where}: ${title || 'any face'}`;
  if (title && title !== shows) return `This die back to ${title}${where && `,${where}`}`;
  return `This die${where}`;
}

/** Return what is to be done in one sentence that names no die: the pictures show which. @param {any[]} wrong @returns {string} */
export function whatToDo(wrong) {
  if (!wrong.length) return 'Put the dice back as they lay.';
  if (wrong.length > 1) return `Make the lower row like the upper one: ${wrong.length} dice are marked.`;
  const [{ die, title, shows, place }] = wrong;
  const where = PLACES[place] ?? '';
  if (!die) return `Lay the missing die ${where || 'back'}.`;
  if (title === shows) return where ? `Lay the marked die ${where}.` : 'Lay the marked die back.';
  return `Turn the marked die to the face above it${where && `, and lay it ${where}`}.`;
}

/** Return what going on as the dice lie changes, and in whose turn. @param {any[]} wrong @param {any} state @returns {string} */
export function changeWords(wrong, state) {
  const name = state?.players.find(({ seat }) => seat === state.on_turn)?.name;
  const turn = name ? `${possessive(name)} turn goes on` : 'The game goes on';
  const turned = wrong.filter(({ die, title, shows }) => die && title !== shows);
  if (!turned.length) return `${turn} with the dice as they lie now.`;
  return `${turn} with ${turned.map(({ title, shows }) => `${shows || 'another face'} instead of ${title || 'any face'}`).join(', ')}.`;
}
