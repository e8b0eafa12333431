// The picture of the whole tray from above, with rings around the dice in question.

import { h, svg } from './dom.js';
import { ringAt } from './film_player.js';
import { say, sayCount } from './say.js';

/** Draw the tray with its rings; it goes where the picture is not kept any more. @param {string} src its address @param {any[]} rings @returns {HTMLElement} */
export function drawTray(src, rings) {
  const marks = svg('svg', { class: 'rings', viewBox: '0 0 100 100', preserveAspectRatio: 'none', 'aria-hidden': 'true' });
  const told = rings.length ? sayCount('The tray, with a ring around one die', 'The tray, with rings around {count} dice', rings.length) : say('The tray');
  const image = /** @type {HTMLImageElement} */ (h('img', { src, alt: told, onload: draw, onerror: () => figure.remove() }));
  const figure = h('figure', { class: 'tray-shot' }, h('div', { class: 'film-screen' }, image, marks));
  function draw() {
    marks.replaceChildren(...rings.map((ring) => ringAt(ring, image.naturalWidth / image.naturalHeight)));
  }
  return figure;
}
