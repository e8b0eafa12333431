// What was learned of a die set in play: how much less is asked, which faces people named, and what looks wrong.

import { AnswerOrder } from '../answer_order.js';
import { dieSetApi, getJson, playedUrl, postJson } from '../api.js';
import { confirmDialog } from '../dialog.js';
import { h, redraw } from '../dom.js';
import { dateTime, ratio } from '../format.js';
import { say, sayCount, sayParts } from '../say.js';
import { orShowError } from '../toast.js';
import { bar, faceThumbnail } from './face_elements.js';
import { facesOfKind, isSameFace } from './faces.js';

const order = new AnswerOrder();

/** Fetch what was learned of a die set and show it. @param {HTMLElement} section @param {any} dieSet @returns {Promise<void>} */
export async function refreshPlayBoard(section, dieSet) {
  const answer = await order.look(orShowError(getJson(dieSetApi(dieSet.name, 'played'))));
  if (answer) show(section, dieSet, answer.played);
}

function show(section, dieSet, board) {
  const change = async (what, body = {}) => {
    const answer = await order.change(orShowError(postJson(dieSetApi(dieSet.name, `played/${what}`), body)));
    if (answer) show(section, dieSet, answer.played);
  };
  redraw(section, board, () => drawBoard(dieSet, board, change));
}

function drawBoard(dieSet, board, change) {
  const forget = () => confirmDialog(say('Forget what play taught of {dice}?', { dice: board.title }), sayCount('{count} answer and all that stood with it are gone for good. Taught lessons stay.', '{count} answers and all that stood with them are gone for good. Taught lessons stay.', board.answers), say('Forget it'), () => change('forget'));
  return [
    h('h2', {}, say('Learned in play')),
    h('div', { class: board.on ? 'panel' : 'panel switched-off' },
      h('button', { type: 'button', class: 'switch', id: 'learn-in-play', role: 'switch', 'data-key': 'learn-in-play', 'aria-checked': String(board.on), onclick: () => change('switch', { on: !board.on }) }, say('Learn from every answer')),
      board.notes.map((sentence) => h('p', { class: 'trouble' }, sentence)),
      drawGain(board),
      dieSet.kinds.map((kind) => drawFaces(dieSet, board, kind)),
      board.answers > 0 && h('button', { type: 'button', class: 'quiet', id: 'forget-play', 'data-key': 'forget-play', onclick: forget }, say('Forget all of it'))),
    board.doubted.length > 0 && h('h3', {}, say('Do these look right?')),
    board.doubted.length > 0 && h('div', { class: 'suspect-cards' }, board.doubted.map((die) => drawDoubted(dieSet.name, die, change))),
  ];
}

function drawGain({ answers, now, before }) {
  if (!now) return h('p', { class: 'note' }, say('No throw yet. Play, and answer what Vander asks.'));
  const share = h('strong', {}, say('{hits} of {count}', { hits: now.asked, count: now.dice }));
  return h('div', { class: 'gain' },
    h('p', { class: 'large-figure' }, before ? sayParts('{share} last dice asked about', { share }) : sayParts('{share} dice asked about', { share })),
    bar(ratio(now.asked, now.dice), 'wide now'),
    before && h('p', { class: 'note' }, say('at first {hits} of {count}', { hits: before.asked, count: before.dice })),
    before && bar(ratio(before.asked, before.dice), 'wide'),
    h('p', { class: 'note' }, sayCount('from {count} answer', 'from {count} answers', answers)));
}

function drawFaces(dieSet, board, kind) {
  return h('div', { class: 'kind' }, dieSet.kinds.length > 1 && h('h3', {}, kind.title),
    h('ul', { class: 'played-faces' }, facesOfKind(board, kind.name).map((face) => drawFace(dieSet, face))));
}

function drawFace(dieSet, face) {
  const known = dieSet.faces.find((one) => isSameFace(one, face)) ?? face;
  return h('li', { class: face.dice ? 'named' : '', 'data-face': face.face, 'aria-label': sayCount('{face}: {count} answer', '{face}: {count} answers', face.dice, { face: face.title }) },
    faceThumbnail(known), h('span', {}, face.title), h('strong', {}, String(face.dice)));
}

function drawDoubted(name, { die, said, other, sentence, at, throw: number, pictured }, change) {
  const label = ({ kind, face }) => change('label', { die, kind, face });
  const when = [number > 0 && say('Throw {number}', { number }), dateTime(at)].filter(Boolean).join(', ');
  const picture = pictured
    ? h('img', { class: 'thumbnail', src: playedUrl(name, die), alt: say('The die that looks wrong') })
    : faceThumbnail(said);
  return h('article', { class: 'suspect', 'data-die': die }, picture,
    h('div', {}, h('p', {}, sentence), h('p', { class: 'note' }, when),
      h('div', { class: 'answers' },
        h('button', { type: 'button', class: 'mend', onclick: () => label(other) }, say('It is {face}', { face: other.title })),
        h('button', { type: 'button', class: 'quiet keep', onclick: () => label(said) }, say('Keep {face}', { face: said.title })))));
}
