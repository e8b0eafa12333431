// The page of one die set: its faces with their meters, what play taught, its lesson, and the way back to an earlier one.

import { capturedUrl, dieSetApi, dieSetPage, getJson, postJson } from '../api.js';
import { confirmDialog } from '../dialog.js';
import { byId, h, redraw } from '../dom.js';
import { counted, dateTime, percent, percentRange } from '../format.js';
import { whenVisible } from '../timing.js';
import { orShowError, toast } from '../toast.js';
import { faceMeters, faceThumbnail, openFaceChoice } from './face_elements.js';
import { facesOfKind, isSameFace } from './faces.js';
import { refreshPlayBoard } from './play_board.js';

const LEARNING_MS = 120000;

const page = byId('die-set-page');
const name = page.dataset.dice;
let dieSet = null;
let lesson = null;
let isLearning = false;

async function refresh() {
  const [found, learned] = await Promise.all([orShowError(getJson(dieSetApi(name))), orShowError(getJson(dieSetApi(name, 'learned')))]);
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
      dieSet.pictures > 0 && h('a', { class: 'button quiet', id: 'all-pictures', href: dieSetPage(name, 'pictures') }, counted(dieSet.pictures, 'picture'))),
    h('div', { class: 'pair' },
      h('a', { class: isComplete ? 'button' : 'button strong', id: 'capture', href: dieSetPage(name, 'capture') }, 'Capture'),
      h('button', { type: 'button', class: isComplete && dieSet.fresh ? 'main' : '', id: 'teach', 'data-key': 'teach', disabled: isLearning || !dieSet.pictures, onclick: teach }, isLearning ? 'Learning …' : 'Teach')),
    h('p', { class: 'note', id: 'state' }, learningState(ready)),
  ];
}

function learningState(ready) {
  if (isLearning) return 'Vander looks at all the pictures. It takes some seconds.';
  if (!dieSet.pictures) return 'Show each face to the camera first: tap Capture.';
  const count = `Enough pictures for ${ready} of ${counted(dieSet.faces.length, 'face')}.`;
  if (dieSet.fresh) return `${dieSet.version ? 'There are new pictures since the last lesson' : 'There are pictures to learn from'}. ${count}`;
  return `${dieSet.version ? `Lesson ${dieSet.version} is in use, and nothing new to learn` : 'No lesson is in use'}. ${count}`;
}

async function teach() {
  isLearning = true;
  show();
  const answer = await orShowError(postJson(dieSetApi(name, 'teach'), {}, LEARNING_MS));
  isLearning = false;
  if (answer) {
    toast(answer.learned.version ? `Lesson ${answer.learned.version} is learned and in use.` : answer.learned.sentence);
  }
  showLesson(answer);
  show();
}

/* Faces */

function drawKinds() {
  return dieSet.kinds.map((kind) => h('div', { class: 'kind' },
    h('h2', {}, dieSet.kinds.length > 1 ? kind.title : 'Faces'),
    h('div', { class: 'face-cards' }, facesOfKind(dieSet, kind.name).map(drawFace))));
}

function drawFace(face) {
  const key = { kind: face.kind, face: face.face };
  const portrait = [faceThumbnail(face), h('span', { class: 'name' }, face.title)];
  return h('article', { class: face.enough ? 'face-card enough' : 'face-card', 'data-face': face.face, 'data-kind': face.kind },
    face.pictures
      ? h('a', { class: 'portrait-link', href: dieSetPage(name, 'pictures', key), 'data-key': `pictures-${face.kind}-${face.face}`, 'aria-label': `Pictures of ${face.title}` }, portrait)
      : h('div', { class: 'portrait-link' }, portrait),
    h('div', { class: 'progress' }, faceMeters(face), face.advice && h('p', { class: 'advice' }, face.advice),
      h('a', { class: 'button quiet small', href: dieSetPage(name, 'capture', key), 'aria-label': `${face.enough ? 'More of' : 'Capture'} ${face.title}` }, face.enough ? 'More' : 'Capture')));
}

/* The lesson */

function drawLesson({ version, sentence, at, right, asked, checked_by: checkedBy, pictures, faces, sessions, pairs, suspects, versions }) {
  return [
    h('h2', {}, version ? `Lesson ${version}` : 'The lesson'),
    h('div', { class: 'panel' },
      sentence && h('p', { class: version ? 'note' : 'lead' }, sentence),
      right && drawExpected('read right of the dice it is sure of', right),
      asked && drawExpected('asked about instead of guessed', asked),
      checkedBy && h('p', { class: 'note' }, `Found out by: ${checkedBy}. The ranges hold in 19 of 20 such lessons.`),
      version > 0 && h('p', { class: 'note' }, `From ${counted(pictures, 'picture')} of ${counted(faces, 'face')}, taken in ${counted(sessions, 'sitting')}${at ? `, ${dateTime(at)}` : ''}.`)),
    suspects.length > 0 && h('div', { class: 'suspects' }, h('h3', {}, 'These look mislabelled'), h('div', { class: 'suspect-cards' }, suspects.map(drawSuspect))),
    pairs.length > 0 && h('div', { class: 'confusions' }, h('h3', {}, 'Easily mistaken for each other'), pairs.map(drawConfusion)),
    versions.length > 0 && drawVersions(version, versions),
  ];
}

const drawExpected = (words, figure) => h('p', { class: 'expected' }, h('strong', {}, percent(figure.share)), ` ${words}`,
  h('span', { class: 'note' }, `${figure.hits} of ${figure.count}; ${percentRange(figure)}`));

function drawSuspect({ picture, said, read }) {
  const label = async ({ kind, face }) => {
    if (await orShowError(postJson('/api/teaching/label', { pictures: [picture], kind, face }))) refresh();
  };
  const other = read && !isSameFace(read, said) ? read : null;
  return h('article', { class: 'suspect', 'data-picture': picture },
    h('img', { class: 'thumbnail', src: capturedUrl(picture), alt: 'The die that looks mislabelled' }),
    h('div', {}, h('p', {}, `Said to be ${said?.title ?? 'nothing'}`, other && `, looks like ${other.title}`, '.'),
      h('div', { class: 'answers' },
        said && h('button', { type: 'button', onclick: () => label(said) }, `It is ${said.title}`),
        other && h('button', { type: 'button', onclick: () => label(other) }, `Move to ${other.title}`),
        h('button', { type: 'button', class: 'quiet', onclick: () => openFaceChoice('What does it show?', dieSet, label) }, 'Another'))));
}

function drawConfusion(pair) {
  const { kind, face, title, other, other_title: otherTitle } = pair;
  const merge = async () => {
    if (await orShowError(postJson(dieSetApi(name, 'merge'), { kind, face, other }))) refresh();
  };
  const confirmMerge = () => confirmDialog(`Make ${title} and ${otherTitle} one face?`, `All pictures of ${otherTitle} become pictures of ${title}. Then teach again.`, 'Make them one', merge);
  return h('article', { class: pair.alike ? 'confused alike' : 'confused', 'data-pair': `${face} ${other}` },
    h('div', { class: 'sides' }, drawSide(title, face, pair.pictures), h('span', { class: 'versus', 'aria-hidden': 'true' }, '↔'), drawSide(otherTitle, other, pair.other_pictures)),
    h('p', {}, pair.sentence),
    pair.alike && h('div', { class: 'pair' },
      h('button', { type: 'button', class: 'merge', onclick: confirmMerge }, 'Make them one face'),
      h('a', { class: 'button quiet', href: dieSetPage(name, 'capture', { kind, face, also: other }) }, 'Show both again')));
}

const drawSide = (title, face, pictures) => h('div', { class: 'side' }, h('strong', {}, title),
  h('span', { class: 'thumbnails' }, pictures.length ? pictures.map((picture) => faceThumbnail({ picture })) : faceThumbnail({ face, title })));

function drawVersions(current, versions) {
  const goBack = async (version) => showLesson(await orShowError(postJson(dieSetApi(name, 'go-back'), { version })));
  const drawVersion = (version, words, at) => h('li', { class: version === current && 'now' },
    h('span', {}, h('strong', {}, version ? `Lesson ${version}` : 'As it came'), at && ` ${dateTime(at)}`, words && h('span', { class: 'note' }, words)),
    version === current ? h('em', {}, 'in use') : h('button', { type: 'button', class: 'quiet', 'data-key': `back-${version}`, 'data-version': version, onclick: () => goBack(version) }, 'Go back to this'));
  return h('div', { class: 'versions' }, h('h3', {}, 'Lessons so far'),
    h('ol', {}, versions.map(({ version, words, at }) => drawVersion(version, words, at)), drawVersion(0, 'The reader without any lesson', '')));
}

/* Deleting */

function drawDeletion(isOwn) {
  if (!isOwn) return [];
  const remove = async () => (await orShowError(postJson(dieSetApi(name, 'drop')))) && location.assign('/dice');
  const confirmAgain = () => confirmDialog('Really delete everything?', `The ${counted(dieSet.pictures, 'picture')} and every lesson of ${dieSet.title} are gone for good.`, 'Delete for good', remove);
  const confirm = () => confirmDialog(`Delete ${dieSet.title}?`, 'Its pictures and lessons go with it.', 'Delete', confirmAgain);
  return h('button', { type: 'button', class: 'grave', id: 'delete', 'data-key': 'delete', onclick: confirm }, 'Delete these dice');
}

whenVisible(refresh);
