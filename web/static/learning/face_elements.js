// What the pages of teaching share: a face as it is shown, its meters, shares in words, faces to choose from.

import { read } from '../api.js';
import { h, toast } from '../dom.js';
import { faceIcon, isFace, wordIcon } from '../die_faces.js';
import { cancel, close, open, title } from '../dialog.js';

const ONE_DECIMAL = 1000;

/** The address of a captured picture. */
export const captured = (name) => `/captured/${encodeURIComponent(name)}.jpg`;

/** The address of a page of one die set: `leaf` is '', 'capture' or 'pictures'. */
export function pageOf(name, leaf = '', asked = {}) {
  const query = new URLSearchParams(asked).toString();
  return `/dice/${encodeURIComponent(name)}${leaf && `/${leaf}`}${query && `?${query}`}`;
}

/** The address of what the desk tells about a die set, or is told about it. */
export const deskOf = (name, what = '') => `/api/teaching/dice/${encodeURIComponent(name)}${what && `/${what}`}`;

/** What an address answers, or null when it does not: then its sentence is shown. */
export async function look(address) {
  try {
    return await read(address);
  } catch (error) {
    toast(error.sentence ?? 'The table did not answer. Try again in a moment.', error.rule);
    return null;
  }
}

/** Look at once, and again whenever the page comes back into sight. */
export function whenSeen(act) {
  document.addEventListener('visibilitychange', () => document.hidden || act());
  addEventListener('pageshow', (event) => event.persisted && act());
  act();
}

/** A face drawn, for one without a picture. */
export const faceDrawn = (face, words, kind = 'face') => (isFace(face) ? faceIcon(face, kind) : wordIcon(words, kind));

/** A face as its newest picture, else as it is drawn. */
export const faceShown = ({ picture, face, title: words }) =>
  picture ? h('img', { class: 'snap', src: captured(picture), alt: '', draggable: 'false' }) : faceDrawn(face, words, 'snap');

/** A bar that is full at `share` 1. */
export function bar(share, kind = '') {
  const filled = h('span', { class: 'filled' });
  filled.style.width = `${Math.round(100 * Math.min(Math.max(share, 0), 1))}%`;
  return h('span', { class: `bar ${kind}`, 'aria-hidden': 'true' }, filled);
}

const VARIED = [['turns', 'turns'], ['places', 'places'], ['lights', 'light']];

/** How well a face is captured: how many pictures, and how varied they are. */
export function meters(face) {
  return h('div', { class: face.enough ? 'meters enough' : 'meters' },
    h('p', { class: 'count' }, h('strong', {}, String(face.pictures)), ` of ${face.wanted} ${plain(face.wanted, 'picture')}`, face.enough && h('span', { class: 'tick' }, ' ✓ enough')),
    bar(share(face.pictures, face.wanted), 'wide'),
    h('div', { class: 'varied' }, VARIED.map(([name, words]) =>
      h('span', { class: 'vary', 'aria-label': `${words}: ${Math.round(100 * face[name])} %` }, bar(face[name]), words))));
}

export const share = (part, whole) => (whole > 0 ? part / whole : 0);

export const plain = (count, word) => (count === 1 ? word : `${word}s`);

/** "1 picture", "12 pictures". */
export const counted = (count, word) => `${count} ${plain(count, word)}`;

const percent = (value) => {
  const figure = Math.round(value * ONE_DECIMAL) / 10;
  return figure.toFixed(Number.isInteger(figure) ? 0 : 1);
};

/** "98.2 %". */
export const inPercent = (value) => `${percent(value)} %`;

/** "98.2 to 99.9 %": where the true share lies in 19 of 20 such cases. */
export const interval = ({ low, high }) => (percent(low) === percent(high) ? inPercent(low) : `${percent(low)} to ${percent(high)} %`);

const MOMENT = { day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' };

/** A moment as people say it; what is no date is already said so. */
export function moment(at) {
  const when = /^\d{4}-\d\d-\d\dT/.test(at) ? new Date(at) : null;
  return when && !Number.isNaN(when.getTime()) ? when.toLocaleString('en-GB', MOMENT) : at;
}

/** The faces of a kind. */
export const facesOf = (dice, kind) => dice.faces.filter((face) => face.kind === kind);

export const isSame = (one, other) => Boolean(one && other) && one.kind === other.kind && one.face === other.face;

/** "Moon", or "Moon (Traffic die)" where the dice are of several kinds. */
export function titleIn(dice, face) {
  const kind = dice.kinds.find(({ name }) => name === face.kind);
  return dice.kinds.length > 1 && kind ? `${face.title} (${kind.title})` : face.title;
}

/** All faces of a die set as buttons, kind by kind. */
export function faceButtons(dice, choose, now = null) {
  return dice.kinds.map((kind) => h('div', { class: 'kind' },
    dice.kinds.length > 1 && h('h3', {}, kind.title),
    h('div', { class: 'face-buttons' }, facesOf(dice, kind.name).map((face) =>
      h('button', { type: 'button', class: 'face-button', 'data-key': `${face.kind}-${face.face}`, 'data-kind': face.kind, 'data-face': face.face, 'aria-pressed': now ? String(isSame(face, now)) : null, onclick: () => choose(face) },
        faceShown(face), h('span', {}, face.title))))));
}

/** A sheet to choose a face from. */
export function chooseFace(sentence, dice, choose) {
  const chosen = (face) => {
    close();
    choose(face);
  };
  open(title(sentence), ...faceButtons(dice, chosen), cancel('Leave it as it is'));
}
