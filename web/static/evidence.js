// The evidence of a breach: what the camera saw, as a small picture to enlarge, or the table before and after.

import { pictureUrl } from './api.js';
import { closeButton, dialogTitle, openDialog } from './dialog.js';
import { h } from './dom.js';
import { say } from './say.js';
import { beforeAfter } from './table_parts.js';

/** Show a picture large. @param {string} name @param {string} sentence @returns {void} */
function openPicture(name, sentence) {
  openDialog(dialogTitle(sentence), h('img', { class: 'large', src: pictureUrl(name), alt: sentence }), closeButton(say('Close')));
}

/** Show the table before and after a breach, or its picture alone. @param {string} name @param {string} sentence @returns {Promise<void>} */
const openEvidence = (name, sentence) => beforeAfter.use(async ({ drawBeforeAfter }) => {
  const both = await drawBeforeAfter(name);
  if (both) openDialog(dialogTitle(sentence), both, closeButton(say('Close')));
  else openPicture(name, sentence);
});

/** Draw a piece of evidence: the table before and after, else a small picture to enlarge, or a note that it is no longer kept. @param {string} name @param {string} sentence @returns {HTMLElement} */
export function drawEvidence(name, sentence) {
  const replaceByNote = () => button.replaceWith(h('p', { class: 'gone' }, say('The picture is no longer kept.')));
  const image = h('img', { src: pictureUrl(name), alt: say('What the camera saw'), onerror: replaceByNote });
  const button = h('button', { type: 'button', class: 'evidence', 'data-key': 'evidence', 'aria-label': say('Enlarge the picture'), onclick: () => openEvidence(name, sentence) }, image);
  void beforeAfter.use(async ({ drawBeforeAfter }) => {
    const both = await drawBeforeAfter(name);
    if (!both) return;
    button.replaceChildren(both);
    button.classList.add('both');
  });
  return button;
}
