// Dice that lie wrong: two rows, as they should be and as they lie; and the way to go on all the same.

import { pictureUrl } from './api.js';
import { faceIcon, hasDrawing, titleIcon } from './die_faces.js';
import { h } from './dom.js';
import { changeWords, twoRows } from './put_back_view.js';
import { say } from './say.js';

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
  const drawing = hasDrawing(face) ? faceIcon(face) : titleIcon(title || '?');
  return h('span', { class: `look ${row}`, 'data-face': face },
    drawing,
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
