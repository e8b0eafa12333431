// The six dice of a code, filled in by taps: the places, a key for each face, and one that takes the last back.

import { faceIcon } from './die_faces.js';
import { h } from './dom.js';
import { say } from './say.js';

/** How many dice a code has. */
export const CODE_DICE = 6;

/** What each of them may show. */
export const FACES = [1, 2, 3, 4, 5, 6];

const SCANNED = /^#([1-6]{6})$/;

/** Return the code in an address's fragment as faces; none for anything else. @param {string} fragment @returns {number[]} */
export const scannedCode = (fragment) => [...(SCANNED.exec(fragment)?.[1] ?? '')].map(Number);

/** Return the places and the keys for a code. `enter` takes a face, `removeLast` nothing. @param {number[]} code @param {boolean} isBusy @param {(face: number) => void} enter @param {() => void} removeLast @returns {any[]} */
export function drawCodeDice(code, isBusy, enter, removeLast) {
  const next = code.length;
  return [
    h('ol', { class: 'slots', 'aria-label': next ? say('Filled in: {code}', { code: code.join(' ') }) : say('Nothing filled in yet') },
      Array.from({ length: CODE_DICE }, (_, place) => h('li', { class: place === next ? 'slot next' : 'slot' }, code[place] ? faceIcon(`pip-${code[place]}`) : ''))),
    h('div', { class: 'keys' }, FACES.map((face) =>
      h('button', { type: 'button', class: 'key', 'data-face': face, 'data-key': `face-${face}`, 'aria-label': String(face), disabled: isBusy || next === CODE_DICE, onclick: () => enter(face) }, faceIcon(`pip-${face}`)))),
    h('button', { type: 'button', class: 'quiet', id: 'back', 'data-key': 'back', disabled: isBusy || !next, onclick: removeLast }, say('Take one back')),
  ];
}
