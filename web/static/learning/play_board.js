// What was learned of a die set in play: how much less is asked, which faces people named, and what looks wrong.

import { dieSetApi, getJson, playedUrl, postJson } from '../api.js';
import { confirmDialog } from '../dialog.js';
import { h, redraw } from '../dom.js';
import { counted, dateTime, ratio } from '../format.js';
import { orShowError } from '../toast.js';
import { bar, faceThumbnail } from './face_elements.js';
import { facesOfKind, isSameFace } from './faces.js';

/** Fetch what was learned of a die set and show it. @param {HTMLElement} section @param {any} dieSet @returns {Promise<void>} */
export async function refreshPlayBoard(section, dieSet) {
  const answer = await orShowError(getJson(dieSetApi(dieSet.name, 'played')));
  if (answer) show(section, dieSet, answer.played);
}

function show(section, dieSet, board) {
  const change = async (what, body = {}) => {
    const answer = await orShowError(postJson(dieSetApi(dieSet.name, `played/${what}`), body));
    if (answer) show(section, dieSet, answer.played);
  };
  redraw(section, board, () => drawBoard(dieSet, board, change));
}

function drawBoard(dieSet, board, change) {
  const forget = () => confirmDialog(`Forget what play taught of ${board.title}?`, `${counted(board.answers, 'answer')} and all that stood with them are gone for good. Taught lessons stay.`, 'Forget it', () => change('forget'));
  return [
    h('h2', {}, 'Learned in play'),
    h('div', { class: board.on ? 'panel' : 'panel switched-off' },
      h('button', { type: 'button', class: 'switch', id: 'learn-in-play', role: 'switch', 'data-key': 'learn-in-play', 'aria-checked': String(board.on), onclick: () => change('switch', { on: !board.on }) }, 'Learn from every answer'),
      board.notes.map((sentence) => h('p', { class: 'trouble' }, sentence)),
      drawGain(board),
      dieSet.kinds.map((kind) => drawFaces(dieSet, board, kind)),
      board.answers > 0 && h('button', { type: 'button', class: 'quiet', id: 'forget-play', 'data-key': 'forget-play', onclick: forget }, 'Forget all of it')),
    board.doubted.length > 0 && h('h3', {}, 'Do these look right?'),
    board.doubted.length > 0 && h('div', { class: 'suspect-cards' }, board.doubted.map((die) => drawDoubted(dieSet.name, die, change))),
  ];
}

function drawGain({ answers, now, before }) {
  if (!now) return h('p', { class: 'note' }, 'No throw yet. Play, and answer what Vander asks.');
  return h('div', { class: 'gain' },
    h('p', { class: 'large-figure' }, h('strong', {}, `${now.asked} of ${now.dice}`), before ? ' last dice asked about' : ' dice asked about'),
    bar(ratio(now.asked, now.dice), 'wide now'),
    before && h('p', { class: 'note' }, `at first ${before.asked} of ${before.dice}`),
    before && bar(ratio(before.asked, before.dice), 'wide'),
    h('p', { class: 'note' }, `from ${counted(answers, 'answer')}`));
}

function drawFaces(dieSet, board, kind) {
  return h('div', { class: 'kind' }, dieSet.kinds.length > 1 && h('h3', {}, kind.title),
    h('ul', { class: 'played-faces' }, facesOfKind(board, kind.name).map((face) => drawFace(dieSet, face))));
}

function drawFace(dieSet, face) {
  const known = dieSet.faces.find((one) => isSameFace(one, face)) ?? face;
  return h('li', { class: face.dice ? 'named' : '', 'data-face': face.face, 'aria-label': `${face.title}: ${counted(face.dice, 'answer')}` },
    faceThumbnail(known), h('span', {}, face.title), h('strong', {}, String(face.dice)));
}

function drawDoubted(name, { die, said, other, sentence, at, throw: number, pictured }, change) {
  const label = ({ kind, face }) => change('label', { die, kind, face });
  const when = [number > 0 && `Throw ${number}`, dateTime(at)].filter(Boolean).join(', ');
  const picture = pictured
    ? h('img', { class: 'thumbnail', src: playedUrl(name, die), alt: 'The die that looks wrong' })
    : faceThumbnail(said);
  return h('article', { class: 'suspect', 'data-die': die }, picture,
    h('div', {}, h('p', {}, sentence), h('p', { class: 'note' }, when),
      h('div', { class: 'answers' },
        h('button', { type: 'button', class: 'mend', onclick: () => label(other) }, `It is ${other.title}`),
        h('button', { type: 'button', class: 'quiet keep', onclick: () => label(said) }, `Keep ${said.title}`))));
}
