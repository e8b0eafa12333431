// One die set: its faces with their meters, its lesson, and the way back from it.

import { tell } from '../api.js';
import { byId, h, redraw, toast } from '../dom.js';
import { confirm } from '../dialog.js';
import { captured, chooseFace, counted, deskOf, faceShown, facesOf, inPercent, interval, isSame, look, meters, moment, pageOf, whenSeen } from './face_elements.js';

const LEARNING_MS = 120000;
const page = byId('set-page');
const name = page.dataset.dice;
let dice = null;
let learned = null;
let learning = false;

async function refresh() {
  const [found, lesson] = await Promise.all([look(deskOf(name)), look(deskOf(name, 'learned'))]);
  if (found) dice = found.dice;
  if (lesson) learned = lesson.learned;
  if (dice && learned) show();
}

function show() {
  page.classList.remove('waiting');
  redraw(byId('head'), { dice, learning }, drawHead);
  redraw(byId('faces'), dice, drawKinds);
  redraw(byId('lesson'), learned, drawLesson);
  redraw(byId('end'), dice.own, drawEnd);
}

function take(lesson) {
  if (lesson) learned = lesson.learned;
  refresh();
}

/* What to do */

function drawHead() {
  const ready = dice.faces.filter(({ enough }) => enough).length;
  const complete = ready === dice.faces.length;
  return [
    h('div', { class: 'heading' }, h('h1', {}, dice.title),
      dice.pictures > 0 && h('a', { class: 'button quiet', id: 'all-pictures', href: pageOf(name, 'pictures') }, counted(dice.pictures, 'picture'))),
    h('div', { class: 'pair' },
      h('a', { class: complete ? 'button' : 'button strong', id: 'capture', href: pageOf(name, 'capture') }, 'Capture'),
      h('button', { type: 'button', class: complete && dice.fresh ? 'main' : '', id: 'teach', 'data-key': 'teach', disabled: learning || !dice.pictures, onclick: teach }, learning ? 'Learning …' : 'Teach')),
    h('p', { class: 'told', id: 'state' }, state(ready)),
  ];
}

function state(ready) {
  if (learning) return 'Vander looks at all the pictures. It takes some seconds.';
  if (!dice.pictures) return 'Show each face to the camera first: tap Capture.';
  const count = `Enough pictures for ${ready} of ${counted(dice.faces.length, 'face')}.`;
  if (dice.fresh) return `${dice.version ? 'There are new pictures since the last lesson' : 'There are pictures to learn from'}. ${count}`;
  return `${dice.version ? `Lesson ${dice.version} is in use, and nothing new to learn` : 'No lesson is in use'}. ${count}`;
}

async function teach() {
  learning = true;
  show();
  const answer = await tell(deskOf(name, 'teach'), {}, LEARNING_MS);
  learning = false;
  if (answer) {
    toast(answer.learned.version ? `Lesson ${answer.learned.version} is learned and in use.` : answer.learned.sentence);
  }
  take(answer);
  show();
}

/* The faces */

function drawKinds() {
  return dice.kinds.map((kind) => h('div', { class: 'kind' },
    h('h2', {}, dice.kinds.length > 1 ? kind.title : 'Faces'),
    h('div', { class: 'face-cards' }, facesOf(dice, kind.name).map(drawFace))));
}

function drawFace(face) {
  const asked = { kind: face.kind, face: face.face };
  const about = [faceShown(face), h('span', { class: 'name' }, face.title)];
  return h('article', { class: face.enough ? 'face-card enough' : 'face-card', 'data-face': face.face, 'data-kind': face.kind },
    face.pictures
      ? h('a', { class: 'portrait-link', href: pageOf(name, 'pictures', asked), 'data-key': `see-${face.kind}-${face.face}`, 'aria-label': `Pictures of ${face.title}` }, about)
      : h('div', { class: 'portrait-link' }, about),
    h('div', { class: 'so-far' }, meters(face), face.advice && h('p', { class: 'advice' }, face.advice),
      h('a', { class: 'button quiet small', href: pageOf(name, 'capture', asked), 'aria-label': `Capture ${face.title}` }, face.enough ? 'More' : 'Capture')));
}

/* The lesson */

function drawLesson({ version, sentence, at, right, asked, checked_by: how, pictures, faces, sessions, pairs, suspects, versions }) {
  return [
    h('h2', {}, version ? `Lesson ${version}` : 'The lesson'),
    h('div', { class: 'panel' },
      sentence && h('p', { class: version ? 'told' : 'lead' }, sentence),
      right && expected('read right of the dice it is sure of', right),
      asked && expected('asked about instead of guessed', asked),
      how && h('p', { class: 'told' }, `Found out by: ${how}. The ranges hold in 19 of 20 such lessons.`),
      version > 0 && h('p', { class: 'told' }, `From ${counted(pictures, 'picture')} of ${counted(faces, 'face')}, taken in ${counted(sessions, 'sitting')}${at ? `, ${moment(at)}` : ''}.`)),
    suspects.length > 0 && h('div', { class: 'suspects' }, h('h3', {}, 'These look mislabelled'), h('div', { class: 'suspect-cards' }, suspects.map(drawSuspect))),
    pairs.length > 0 && h('div', { class: 'pairs' }, h('h3', {}, 'Easily mistaken for each other'), pairs.map(drawPair)),
    versions.length > 0 && drawVersions(version, versions),
  ];
}

const expected = (words, figure) => h('p', { class: 'expected' }, h('strong', {}, inPercent(figure.share)), ` ${words}`,
  h('span', { class: 'told' }, `${figure.hits} of ${figure.count}; ${interval(figure)}`));

function drawSuspect({ picture, said, read }) {
  const say = async (face) => {
    if (await tell('/api/teaching/label', { pictures: [picture], kind: face.kind, face: face.face })) refresh();
  };
  const other = read && !isSame(read, said) ? read : null;
  return h('article', { class: 'suspect', 'data-picture': picture },
    h('img', { class: 'snap', src: captured(picture), alt: 'The die that looks mislabelled' }),
    h('div', {}, h('p', {}, `Said to be ${said?.title ?? 'nothing'}`, other && `, looks like ${other.title}`, '.'),
      h('div', { class: 'answers' },
        said && h('button', { type: 'button', onclick: () => say(said) }, `It is ${said.title}`),
        other && h('button', { type: 'button', onclick: () => say(other) }, `Move to ${other.title}`),
        h('button', { type: 'button', class: 'quiet', onclick: () => chooseFace('What does it show?', dice, say) }, 'Another'))));
}

function drawPair(pair) {
  const { kind, face, title, other, other_title: otherTitle } = pair;
  const merge = () => confirm(`Make ${title} and ${otherTitle} one face?`, `All pictures of ${otherTitle} become pictures of ${title}. Then teach again.`, 'Make them one', async () => {
    const answer = await tell(deskOf(name, 'merge'), { kind, face, other });
    if (answer) take(null);
  });
  return h('article', { class: pair.alike ? 'confused alike' : 'confused', 'data-pair': `${face} ${other}` },
    h('div', { class: 'sides' }, side(title, face, pair.pictures), h('span', { class: 'versus', 'aria-hidden': 'true' }, '↔'), side(otherTitle, other, pair.other_pictures)),
    h('p', {}, pair.sentence),
    pair.alike && h('div', { class: 'pair' },
      h('button', { type: 'button', class: 'merge', onclick: merge }, 'Make them one face'),
      h('a', { class: 'button quiet', href: pageOf(name, 'capture', { kind, face, also: other }) }, 'Show both again')));
}

const side = (title, face, pictures) => h('div', { class: 'side' }, h('strong', {}, title),
  h('span', { class: 'snaps' }, pictures.length ? pictures.map((picture) => faceShown({ picture })) : faceShown({ face, title })));

function drawVersions(now, versions) {
  const back = async (version) => take(await tell(deskOf(name, 'go-back'), { version }));
  const row = (version, words, at) => h('li', { class: version === now && 'now' },
    h('span', {}, h('strong', {}, version ? `Lesson ${version}` : 'As it came'), at && ` ${moment(at)}`, words && h('span', { class: 'told' }, words)),
    version === now ? h('em', {}, 'in use') : h('button', { type: 'button', class: 'quiet', 'data-key': `back-${version}`, 'data-version': version, onclick: () => back(version) }, 'Go back to this'));
  return h('div', { class: 'versions' }, h('h3', {}, 'Lessons so far'),
    h('ol', {}, versions.map(({ version, words, at }) => row(version, words, at)), row(0, 'The reader without any lesson', '')));
}

/* Deleting */

function drawEnd(own) {
  if (!own) return [];
  const drop = async () => (await tell(deskOf(name, 'drop'))) && location.assign('/dice');
  const twice = () => confirm('Really delete everything?', `The ${counted(dice.pictures, 'picture')} and every lesson of ${dice.title} are gone for good.`, 'Delete for good', drop);
  return h('button', { type: 'button', class: 'grave', id: 'drop', 'data-key': 'drop', onclick: () => confirm(`Delete ${dice.title}?`, 'Its pictures and lessons go with it.', 'Delete', twice) }, 'Delete these dice');
}

whenSeen(refresh);
