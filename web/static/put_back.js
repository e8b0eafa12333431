// Dice that lie wrong: two rows, as they should be and as they lie; what is to be done, and the way to go on all the same.

import { pictureUrl } from './api.js';
import { faceOrTitle } from './die_faces.js';
import { h } from './dom.js';
import { say } from './say.js';

const AS_IT_LIES = 'as-it-lies';
const WAS_THROWN = 'thrown';
/** Where a die lies, in a word under its picture. */
const PLACE_WORDS = { aside: say('bay'), field: say('field'), signal: say('spot') };

/** What is to be done with a die of the rows, by the place where it should lie: laid there, turned to a face, moved. */
const COLUMN_WORDS = {
  '': [(face) => say('Lay a die: {face}', { face }), (face) => say('This die back to {face}', { face }), say('This die')],
  aside: [(face) => say('Lay a die into the bay: {face}', { face }), (face) => say('This die back to {face}, into the bay', { face }), say('This die into the bay')],
  field: [(face) => say('Lay a die onto the field: {face}', { face }), (face) => say('This die back to {face}, onto the field', { face }), say('This die onto the field')],
  signal: [(face) => say('Lay a die onto its spot: {face}', { face }), (face) => say('This die back to {face}, onto its spot', { face }), say('This die onto its spot')],
};

/** What is to be done with a marked die, by the place where it should lie; '' where it may lie anywhere. */
const LAY_MISSING = { '': say('Lay the missing die back.'), aside: say('Lay the missing die into the bay.'), field: say('Lay the missing die onto the field.'), signal: say('Lay the missing die onto its spot.') };
const LAY = { '': say('Lay the marked die back.'), aside: say('Lay the marked die into the bay.'), field: say('Lay the marked die onto the field.'), signal: say('Lay the marked die onto its spot.') };
const TURN = {
  '': say('Turn the marked die to the face above it.'),
  aside: say('Turn the marked die to the face above it, and lay it into the bay.'),
  field: say('Turn the marked die to the face above it, and lay it onto the field.'),
  signal: say('Turn the marked die to the face above it, and lay it onto its spot.'),
};

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
  return { number, isWrong: false, words: title ? say('{die} lies right', { die: title }) : say('A die lies right'), should: look, lies: look };
}

/** Return what is to be done with a die that lies wrong, for those who cannot see its pictures. @param {any} wrong @returns {string} */
export function putBackWords({ die, title, shows, place }) {
  const [lay, turn, move] = COLUMN_WORDS[place] ?? COLUMN_WORDS[''];
  if (!die) return lay(title || say('any face'));
  return title && title !== shows ? turn(title) : move;
}

/** Return what is to be done in one sentence that names no die: the pictures show which. @param {any[]} wrong @returns {string} */
export function whatToDo(wrong) {
  if (!wrong.length) return say('Put the dice back as they lay.');
  if (wrong.length > 1) return say('Make the lower row like the upper one: {count} dice are marked.', { count: wrong.length });
  const [{ die, title, shows, place }] = wrong;
  const sentences = !die ? LAY_MISSING : title === shows ? LAY : TURN;
  return sentences[place] ?? sentences[''];
}

/** Return what going on as the dice lie changes, and in whose turn. @param {any[]} wrong @param {any} state @returns {string} */
export function changeWords(wrong, state) {
  const name = state?.players.find(({ seat }) => seat === state.on_turn)?.name;
  const turn = name ? say('{name}’s turn goes on', { name }) : say('The game goes on');
  const turned = wrong.filter(({ die, title, shows }) => die && title !== shows);
  if (!turned.length) return say('{turn} with the dice as they lie now.', { turn });
  return say('{turn} with {changes}.', { turn, changes: turned.map(({ title, shows }) => say('{face} instead of {other}', { face: shows || say('another face'), other: title || say('any face') })).join(', ') });
}

/** Draw how dice should be, above how they lie: those that lie wrong, and where `dice` is given the others too. @param {any[]} wrong @param {any[]} dice @returns {any} */
export const drawPutBacks = (wrong, dice = []) => wrong.length > 0 && h('div', { class: 'two-rows' },
  h('div', { class: 'row-names', 'aria-hidden': 'true' }, h('span', {}, say('Should be')), h('span', {}, say('Lies'))),
  h('ul', { class: 'put-back', 'aria-label': say('Put back') }, twoRows(wrong, dice).map(drawColumn)));

function drawColumn({ number, isWrong, words, should, lies }) {
  return h('li', { 'data-die': number, class: isWrong ? 'wrong' : 'right' },
    drawLook(should, 'should'),
    lies ? drawLook(lies, 'lies') : h('span', { class: 'look lies missing', 'aria-hidden': 'true' }),
    h('span', { class: 'unseen' }, words));
}

/** Draw a die as a person sees it: its picture over its drawn face. */
function drawLook({ face, title, crop, picture, place }, row) {
  return h('span', { class: `look ${row}`, 'data-face': face },
    faceOrTitle(face, title || '?'),
    crop ? photo(pictureUrl(crop)) : picture && photo(picture),
    place && h('span', { class: 'place-word', 'aria-hidden': 'true' }, place));
}

const photo = (src) => h('img', { src, alt: '', onerror: (event) => event.target.remove() });

/** Draw the small way on as the dice lie: it is asked a second time, with what changes. @param {{title: string, answer: string}} choice @param {any[]} wrong @param {any} state @param {(answer: string, confirmed: boolean) => void} choose @returns {any} */
export function drawAsTheyLie({ title, answer }, wrong, state, choose) {
  const box = h('div', { class: 'as-they-lie' });
  const ask = () => box.replaceChildren(
    h('p', { class: 'sure' }, say('Sure? {change}', { change: changeWords(wrong, state) })),
    h('div', { class: 'pair' },
      h('button', { type: 'button', class: 'quiet', onclick: begin }, say('No, go back')),
      h('button', { type: 'button', class: 'grave', 'data-answer': answer, onclick: () => choose(answer, true) }, title)));
  const begin = () => box.replaceChildren(h('button', { type: 'button', class: 'quiet', id: 'as-they-lie', onclick: ask }, title));
  begin();
  return box;
}
