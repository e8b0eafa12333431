// The table before and after a breach, side by side, with a ring around each die that changed.

import { getJson } from './api.js';
import { h, svg } from './dom.js';
import { ringAt } from './film_player.js';
import { say } from './say.js';

/**
 * Return the two pictures, or null where there are none to compare.
 * @param {string} name the name of the breach's picture @returns {Promise<HTMLElement | null>}
 */
export async function drawBeforeAfter(name) {
  const found = await getJson(`/api/breach?${new URLSearchParams({ name })}`).catch(() => null);
  if (!found?.before || !found.changes.length) return null;
  return h('div', { class: 'before-after' },
    drawSide(say('Before'), found.before, found.changes.map(({ before }) => before)),
    drawSide(say('After'), found.after, found.changes.map(({ after }) => after)),
    h('p', { class: 'changes' }, found.changes.map(({ sentence }) => sentence).join(' ')));
}

function drawSide(title, src, rings) {
  const marks = svg('svg', { class: 'rings', viewBox: '0 0 100 100', preserveAspectRatio: 'none', 'aria-hidden': 'true' });
  const image = /** @type {HTMLImageElement} */ (h('img', { src, alt: say('The tray: {when}', { when: title }), onload: draw }));
  function draw() {
    marks.replaceChildren(...rings.filter(Boolean).map((ring) => ringAt(ring, image.naturalWidth / image.naturalHeight)));
  }
  return h('figure', {}, h('div', { class: 'film-screen' }, image, marks), h('figcaption', {}, title));
}
