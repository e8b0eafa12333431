// What the pages of learning share: the faces of a die set, a face as its picture, its meters, and faces to choose from.

import { capturedUrl } from '../api.js';
import { closeButton, closeDialog, dialogTitle, openDialog } from '../dialog.js';
import { faceOrTitle } from '../die_faces.js';
import { h } from '../dom.js';
import { ratio } from '../format.js';
import { say, sayCount, sayParts } from '../say.js';

/**
 * @typedef {{kind: string, face: string}} FaceKey
 * @typedef {FaceKey & {title: string}} Face
 * @typedef {{kinds: {name: string, title: string}[], faces: Face[]}} DieSet
 */

/** Return the faces of a kind. @param {{faces: any[]}} dieSet @param {string} kind @returns {any[]} */
export const facesOfKind = ({ faces }, kind) => faces.filter((face) => face.kind === kind);

/** Return true if both are the same face of the same kind. @param {FaceKey | null | undefined} one @param {FaceKey | null | undefined} other @returns {boolean} */
export const isSameFace = (one, other) => Boolean(one && other) && one.kind === other.kind && one.face === other.face;

/** Return "Moon", or "Moon (Traffic die)" where the dice are of several kinds. @param {DieSet} dieSet @param {Face} face @returns {string} */
export function fullTitle({ kinds }, face) {
  const kind = kinds.find(({ name }) => name === face.kind);
  return kinds.length > 1 && kind ? `${face.title} (${kind.title})` : face.title;
}

const VARIETY = [['turns', say('turns')], ['places', say('places')], ['lights', say('lights')]];

/** Draw a face as its newest picture, else as a drawing. @param {{picture?: string, face?: string, title?: string}} face @returns {Element} */
export const faceThumbnail = ({ picture, face = '', title = '' }) =>
  picture ? h('img', { class: 'thumbnail', src: capturedUrl(picture), alt: '', draggable: 'false' }) : faceOrTitle(face, title, 'thumbnail');

/** Draw a bar that is full at a share of 1. @param {number} share @param {string} className @returns {HTMLElement} */
export function bar(share, className = '') {
  const filled = h('span', { class: 'filled' });
  filled.style.width = `${Math.round(100 * Math.min(Math.max(share, 0), 1))}%`;
  return h('span', { class: `bar ${className}`, 'aria-hidden': 'true' }, filled);
}

/** Draw how well a face is captured: how many pictures, and how varied they are. @param {any} face @returns {HTMLElement} */
export function faceMeters(face) {
  return h('div', { class: face.enough ? 'meters enough' : 'meters' },
    h('p', { class: 'count' }, sayParts('{taken} of {pictures}', { taken: h('strong', {}, String(face.pictures)), pictures: sayCount('{count} picture', '{count} pictures', face.wanted) }), face.enough && h('span', { class: 'tick' }, ` ✓ ${say('enough')}`)),
    bar(ratio(face.pictures, face.wanted), 'wide'),
    h('div', { class: 'varieties' }, VARIETY.map(([name, words]) =>
      h('span', { class: 'variety', 'aria-label': `${words}: ${Math.round(100 * face[name])} %` }, bar(face[name]), words))));
}

/** Draw all faces of a die set as buttons, kind by kind. @param {any} dieSet @param {(face: any) => void} choose @returns {HTMLElement[]} */
export function faceButtons(dieSet, choose) {
  return dieSet.kinds.map((kind) => h('div', { class: 'kind' },
    dieSet.kinds.length > 1 && h('h3', {}, kind.title),
    h('div', { class: 'face-buttons' }, facesOfKind(dieSet, kind.name).map((face) =>
      h('button', { type: 'button', class: 'face-button', 'data-key': `${face.kind}-${face.face}`, 'data-kind': face.kind, 'data-face': face.face, onclick: () => choose(face) },
        faceThumbnail(face), h('span', {}, face.title))))));
}

/** Open a dialog to choose a face from. @param {string} question @param {any} dieSet @param {(face: any) => void} choose @returns {void} */
export function openFaceChoice(question, dieSet, choose) {
  const chosen = (face) => {
    closeDialog();
    choose(face);
  };
  openDialog(dialogTitle(question), ...faceButtons(dieSet, chosen), closeButton(say('Leave it as it is')));
}
