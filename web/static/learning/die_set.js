// The page of one die set: its faces with their meters, what play taught, its lesson, and the way back to an earlier one.

import { AnswerOrder, capturedUrl, dieSetApi, dieSetPage, getJson, playedUrl, postJson } from '../api.js';
import { confirmDialog } from '../dialog.js';
import { byId, h, orShowError, redraw, toast } from '../dom.js';
import { dateTime, percent, percentRange, ratio } from '../format.js';
import { whenVisible } from '../live_view.js';
import { say, sayCount, sayParts } from '../say.js';
import { bar, faceMeters, faceThumbnail, facesOfKind, isSameFace, openFaceChoice } from './face_elements.js';

/* What was learned of the dice in play: how much less is asked, which faces people named, and what looks wrong */

const playOrder = new AnswerOrder();

/** Fetch what was learned of a die set and show it. */
async function refreshPlayBoard(section, dieSet) {
  const answer = await playOrder.look(orShowError(getJson(dieSetApi(dieSet.name, 'played'))));
  if (answer) showBoard(section, dieSet, answer.played);
}

function showBoard(section, dieSet, board) {
  const change = async (what, body = {}) => {
    const answer = await playOrder.change(orShowError(postJson(dieSetApi(dieSet.name, `played/${what}`), body)));
    if (answer) showBoard(section, dieSet, answer.played);
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
    h('ul', { class: 'played-faces' }, facesOfKind(board, kind.name).map((face) => drawPlayedFace(dieSet, face))));
}

function drawPlayedFace(dieSet, face) {
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

/* The page */

const LEARNING_MS = 120000;

const page = byId('die-set-page');
const name = page.dataset.dice;
let dieSet = null;
let lesson = null;
let isLearning = false;
const order = new AnswerOrder();

async function refresh() {
  const answers = await order.look(Promise.all([orShowError(getJson(dieSetApi(name))), orShowError(getJson(dieSetApi(name, 'learned')))]));
  if (!answers) return;
  const [found, learned] = answers;
  if (found) dieSet = found.dice;
  if (learned) lesson = learned.learned;
  if (dieSet && lesson) show();
  if (dieSet) await refreshPlayBoard(byId('played'), dieSet);
}

function show() {
  page.classList.remove('waiting');
  redraw(byId('head'), { dieSet, isLearning }, drawHead);
  redraw(byId('faces'), dieSet, drawKinds);
  redraw(byId('lesson'), lesson, drawLesson);
  redraw(byId('deletion'), dieSet.own, drawDeletion);
}

/** Show the lesson that the API answers; null after a failure. */
function showLesson(answer) {
  if (answer) lesson = answer.learned;
  refresh();
}

/* What to do */

function drawHead() {
  const ready = dieSet.faces.filter(({ enough }) => enough).length;
  const isComplete = ready === dieSet.faces.length;
  return [
    h('div', { class: 'heading' }, h('h1', {}, dieSet.title),
      dieSet.pictures > 0 && h('a', { class: 'button quiet', id: 'all-pictures', href: dieSetPage(name, 'pictures') }, sayCount('{count} picture', '{count} pictures', dieSet.pictures))),
    h('div', { class: 'pair' },
      h('a', { class: isComplete ? 'button' : 'button strong', id: 'capture', href: dieSetPage(name, 'capture') }, say('Capture')),
      h('button', { type: 'button', class: isComplete && dieSet.fresh ? 'main' : '', id: 'teach', 'data-key': 'teach', disabled: isLearning || !dieSet.pictures, onclick: teach }, isLearning ? say('Learning …') : say('Teach'))),
    h('p', { class: 'note', id: 'state' }, learningState(ready)),
  ];
}

function learningState(ready) {
  if (isLearning) return say('Vander looks at all the pictures. It takes some seconds.');
  if (!dieSet.pictures) return say('Show each face to the camera first: tap Capture.');
  const count = sayCount('Enough pictures for {ready} of {count} face.', 'Enough pictures for {ready} of {count} faces.', dieSet.faces.length, { ready });
  if (dieSet.fresh) return `${dieSet.version ? say('There are new pictures since the last lesson.') : say('There are pictures to learn from.')} ${count}`;
  return `${dieSet.version ? say('Lesson {version} is in use, and nothing new to learn.', { version: dieSet.version }) : say('No lesson is in use.')} ${count}`;
}

async function teach() {
  isLearning = true;
  show();
  const answer = await orShowError(postJson(dieSetApi(name, 'teach'), {}, LEARNING_MS));
  isLearning = false;
  if (answer) {
    toast(answer.learned.version ? say('Lesson {version} is learned and in use.', { version: answer.learned.version }) : answer.learned.sentence);
  }
  showLesson(answer);
  show();
}

/* Faces */

function drawKinds() {
  return dieSet.kinds.map((kind) => h('div', { class: 'kind' },
    h('h2', {}, dieSet.kinds.length > 1 ? kind.title : say('Faces')),
    h('div', { class: 'face-cards' }, facesOfKind(dieSet, kind.name).map(drawFace))));
}

function drawFace(face) {
  const key = { kind: face.kind, face: face.face };
  const portrait = [faceThumbnail(face), h('span', { class: 'name' }, face.title)];
  return h('article', { class: face.enough ? 'face-card enough' : 'face-card', 'data-face': face.face, 'data-kind': face.kind },
    face.pictures
      ? h('a', { class: 'portrait-link', href: dieSetPage(name, 'pictures', key), 'data-key': `pictures-${face.kind}-${face.face}`, 'aria-label': say('Pictures of {face}', { face: face.title }) }, portrait)
      : h('div', { class: 'portrait-link' }, portrait),
    h('div', { class: 'progress' }, faceMeters(face), face.advice && h('p', { class: 'advice' }, face.advice),
      h('a', { class: 'button quiet small', href: dieSetPage(name, 'capture', key), 'aria-label': face.enough ? say('More of {face}', { face: face.title }) : say('Capture {face}', { face: face.title }) }, face.enough ? say('More') : say('Capture'))));
}

/* The lesson */

function drawLesson({ version, sentence, at, right, asked, checked_by: checkedBy, pictures, faces, sessions, pairs, suspects, versions }) {
  return [
    h('h2', {}, version ? say('Lesson {version}', { version }) : say('The lesson')),
    h('div', { class: 'panel' },
      sentence && h('p', { class: version ? 'note' : 'lead' }, sentence),
      right && drawExpected(say('read right of the dice it is sure of'), right),
      asked && drawExpected(say('asked about instead of guessed'), asked),
      checkedBy && h('p', { class: 'note' }, say('Found out by: {check}. The ranges hold in 19 of 20 such lessons.', { check: checkedBy })),
      version > 0 && h('p', { class: 'note' }, `${learnedFrom(pictures, faces, sessions)}${at ? `, ${dateTime(at)}` : ''}.`)),
    suspects.length > 0 && h('div', { class: 'suspects' }, h('h3', {}, say('These look mislabelled')), h('div', { class: 'suspect-cards' }, suspects.map(drawSuspect))),
    pairs.length > 0 && h('div', { class: 'confusions' }, h('h3', {}, say('Easily mistaken for each other')), pairs.map(drawConfusion)),
    versions.length > 0 && drawVersions(version, versions),
  ];
}

/** Return what a lesson was learned from, in words. */
const learnedFrom = (pictures, faces, sessions) => say('From {pictures} of {faces}, taken in {sittings}', {
  pictures: sayCount('{count} picture', '{count} pictures', pictures),
  faces: sayCount('{count} face', '{count} faces', faces),
  sittings: sayCount('{count} sitting', '{count} sittings', sessions),
});

const drawExpected = (words, figure) => h('p', { class: 'expected' }, h('strong', {}, percent(figure.share)), ` ${words}`,
  h('span', { class: 'note' }, say('{hits} of {count}; {range}', { hits: figure.hits, count: figure.count, range: percentRange(figure) })));

const suspectWords = (said, seen) => (seen ? say('Said to be {face}, looks like {other}.', { face: said, other: seen }) : say('Said to be {face}.', { face: said }));

function drawSuspect({ picture, said, read }) {
  const label = async ({ kind, face }) => {
    if (await orShowError(postJson('/api/teaching/label', { pictures: [picture], kind, face }))) refresh();
  };
  const other = read && !isSameFace(read, said) ? read : null;
  return h('article', { class: 'suspect', 'data-picture': picture },
    h('img', { class: 'thumbnail', src: capturedUrl(picture), alt: say('The die that looks mislabelled') }),
    h('div', {}, h('p', {}, suspectWords(said?.title ?? say('nothing'), other?.title ?? '')),
      h('div', { class: 'answers' },
        said && h('button', { type: 'button', onclick: () => label(said) }, say('It is {face}', { face: said.title })),
        other && h('button', { type: 'button', onclick: () => label(other) }, say('Move to {face}', { face: other.title })),
        h('button', { type: 'button', class: 'quiet', onclick: () => openFaceChoice(say('What does it show?'), dieSet, label) }, say('Another')))));
}

function drawConfusion(pair) {
  const { kind, face, title, other, other_title: otherTitle } = pair;
  const merge = async () => {
    if (await orShowError(postJson(dieSetApi(name, 'merge'), { kind, face, other }))) refresh();
  };
  const confirmMerge = () => confirmDialog(say('Make {face} and {other} one face?', { face: title, other: otherTitle }), say('All pictures of {other} become pictures of {face}. Then teach again.', { other: otherTitle, face: title }), say('Make them one'), merge);
  return h('article', { class: pair.alike ? 'confused alike' : 'confused', 'data-pair': `${face} ${other}` },
    h('div', { class: 'sides' }, drawSide(title, face, pair.pictures), h('span', { class: 'versus', 'aria-hidden': 'true' }, '↔'), drawSide(otherTitle, other, pair.other_pictures)),
    h('p', {}, pair.sentence),
    pair.alike && h('div', { class: 'pair' },
      h('button', { type: 'button', class: 'merge', onclick: confirmMerge }, say('Make them one face')),
      h('a', { class: 'button quiet', href: dieSetPage(name, 'capture', { kind, face, also: other }) }, say('Show both again'))));
}

const drawSide = (title, face, pictures) => h('div', { class: 'side' }, h('strong', {}, title),
  h('span', { class: 'thumbnails' }, pictures.length ? pictures.map((picture) => faceThumbnail({ picture })) : faceThumbnail({ face, title })));

function drawVersions(current, versions) {
  const goBack = async (version) => showLesson(await orShowError(postJson(dieSetApi(name, 'go-back'), { version })));
  const drawVersion = (version, words, at) => h('li', { class: version === current && 'now' },
    h('span', {}, h('strong', {}, version ? say('Lesson {version}', { version }) : say('As it came')), at && ` ${dateTime(at)}`, words && h('span', { class: 'note' }, words)),
    version === current ? h('em', {}, say('in use')) : h('button', { type: 'button', class: 'quiet', 'data-key': `back-${version}`, 'data-version': version, onclick: () => goBack(version) }, say('Go back to this')));
  return h('div', { class: 'versions' }, h('h3', {}, say('Lessons so far')),
    h('ol', {}, versions.map(({ version, words, at }) => drawVersion(version, words, at)), drawVersion(0, say('The reader without any lesson'), '')));
}

/* Deleting */

function drawDeletion(isOwn) {
  if (!isOwn) return [];
  const remove = async () => (await orShowError(postJson(dieSetApi(name, 'drop')))) && location.assign('/dice');
  const confirmAgain = () => confirmDialog(say('Really delete everything?'), sayCount('The {count} picture and every lesson of {dice} are gone for good.', 'The {count} pictures and every lesson of {dice} are gone for good.', dieSet.pictures, { dice: dieSet.title }), say('Delete for good'), remove);
  const confirm = () => confirmDialog(say('Delete {dice}?', { dice: dieSet.title }), say('Its pictures and lessons go with it.'), say('Delete'), confirmAgain);
  return h('button', { type: 'button', class: 'grave', id: 'delete', 'data-key': 'delete', onclick: confirm }, say('Delete these dice'));
}

whenVisible(refresh);
