// The sum of a ruling: the dice that counted, in their pictures or drawn, with their worth.

import { pictureUrl } from './api.js';
import { faceIcon, hasDrawing, titleIcon } from './die_faces.js';
import { h } from './dom.js';

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
export const drawing = (face, title, body) => (hasDrawing(face) ? faceIcon(face, 'face', body) : titleIcon(title || '?', 'face', body));
