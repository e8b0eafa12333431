// The guided capture: the tray as the camera sees it, what to do next, and the pictures as they are taken.

import { AnswerOrder, capturedUrl, dieSetApi, dieSetPage, getJson, postJson } from '../api.js';
import { byId, h, orShowError, redraw } from '../dom.js';
import { TRAY, showLiveView, sleep, untilVisible } from '../live_view.js';
import { say, sayCount } from '../say.js';
import { faceMeters, faceThumbnail, facesOfKind, fullTitle, isSameFace } from './face_elements.js';

const POLL_MS = 500;

const page = byId('capture-page');
const name = page.dataset.dice;
const query = Object.fromEntries(new URLSearchParams(location.search));
/** Pictures that were discarded here; the server may still list them for a moment. */
const discarded = new Set();
let dieSet = null;
/** The capture as the API shows it. */
let capture = null;
let isOver = false;
const facesAsked = new AnswerOrder();
/** True from a request for the faces that failed until the next one. */
let areFacesOld = false;
/** Counts the beginnings and ends of taps: a poll that a tap has overtaken is ignored. */
let taps = 0;

async function begin() {
  const running = await orShowError(getJson('/api/teaching/sitting'));
  const found = await orShowError(getJson(dieSetApi(name)));
  dieSet = found?.dice ?? null;
  const isRunning = running?.sitting?.dice === name && !query.face;
  if (dieSet && running?.halts_game) return askToLend();
  return goOn(isRunning ? running : await startCapture(query.kind ?? '', query.face ?? ''));
}

/** Show the capture that has begun, and follow it. */
function goOn(answer) {
  if (!dieSet || !answer?.sitting) return end(say('The capture could not begin.'));
  update(answer);
  showLiveView({ canvas: byId('view'), box: byId('picture'), notice: byId('no-view'), url: TRAY, isOver: () => isOver });
  return follow();
}

const startCapture = (kind, face, lend = false) => orShowError(postJson('/api/teaching/sit', { dice: name, kind, face, lend }));

/** Ask before a game is halted: its players may be at the table just now. */
function askToLend() {
  const lend = async () => {
    const answer = await startCapture(query.kind ?? '', query.face ?? '', true);
    if (!answer) return;
    byId('over').hidden = true;
    page.classList.remove('ended');
    goOn(answer);
  };
  showInstead(say('A game is running. Lend the tray?'),
    h('button', { type: 'button', id: 'lend', onclick: lend }, say('Lend the tray')),
    h('a', { class: 'button strong', href: dieSetPage(name) }, say('Not now')));
}

async function follow() {
  while (!isOver) {
    await untilVisible();
    const tapsBefore = taps;
    const answer = await getJson('/api/teaching/sitting').catch(() => null);
    if (!answer) showGuidance(say('The table does not answer. Trying again …'), 'trouble');
    else if (tapsBefore === taps) update(answer);
    await sleep(POLL_MS);
  }
}

function update({ sitting }) {
  if (isOver) return;
  if (!sitting || sitting.dice !== name) {
    end(sitting ? say('{dice} is being captured now.', { dice: sitting.title }) : say('The capture has ended.'));
    return;
  }
  const isChanged = !isSameFace(capture, sitting) || capture.taken !== sitting.taken;
  capture = sitting;
  if (isChanged || areFacesOld) refreshFaces();
  show();
}

async function refreshFaces() {
  areFacesOld = false;
  const found = await facesAsked.look(getJson(dieSetApi(name)).catch(() => null));
  areFacesOld ||= found === null;
  if (!found) return;
  dieSet = found.dice;
  if (!isOver) show();
}

function show() {
  page.classList.remove('waiting');
  showGuidance(capture.says, capture.mood);
  redraw(byId('face'), { meter: capture.meter, title: fullTitle(dieSet, capture.meter), taken: capture.taken, in_view: capture.in_view }, drawFace);
  redraw(byId('face-strip'), { kinds: dieSet.kinds, faces: dieSet.faces, kind: capture.kind, face: capture.face }, drawStrip);
  redraw(byId('latest'), capture.latest.filter((picture) => !discarded.has(picture)), drawLatest);
  byId('auto-capture').setAttribute('aria-checked', String(capture.itself));
}

function showGuidance(sentence, mood) {
  const guidance = byId('guidance');
  if (guidance.textContent !== sentence) guidance.textContent = sentence;
  guidance.dataset.mood = mood;
}

function drawFace({ meter, title, taken, in_view: inView }) {
  return [
    h('div', { class: 'asked-for' },
      faceThumbnail(meter),
      h('div', {}, h('p', { class: 'kicker' }, say('Upward now')), h('h1', {}, title),
        h('p', { class: 'note' }, sayCount('{count} die in sight, {taken} taken', '{count} dice in sight, {taken} taken', inView, { taken })))),
    faceMeters(meter),
    meter.advice && h('p', { class: 'advice' }, meter.advice),
  ];
}

function drawStrip({ kinds, kind, face }) {
  return kinds.map((each) => h('div', { class: 'strip-kind' },
    kinds.length > 1 && h('h2', {}, each.title),
    h('div', { class: 'strip-faces' }, facesOfKind(dieSet, each.name).map((one) => drawChip(one, isSameFace(one, { kind, face }))))));
}

function drawChip(face, isCurrent) {
  const isAlso = face.face === query.also && face.kind === query.kind;
  return h('button', { type: 'button', class: `chip${face.enough ? ' enough' : ''}${isAlso ? ' also' : ''}`, 'data-key': `${face.kind}-${face.face}`, 'data-face': face.face, 'aria-pressed': String(isCurrent), onclick: () => updateFrom(startCapture(face.kind, face.face)) },
    faceThumbnail(face),
    h('span', { class: 'name' }, face.title),
    h('span', { class: 'count' }, face.enough ? '✓' : `${face.pictures}/${face.wanted}`),
    h('span', { class: 'for-readers' }, face.enough ? sayCount(', enough: {count} picture', ', enough: {count} pictures', face.pictures) : ` ${say('pictures')}`));
}

function drawLatest(pictures) {
  if (!pictures.length) return [];
  return [h('h2', {}, say('Just taken')), h('ul', {}, pictures.map((picture) => h('li', { 'data-picture': picture },
    h('img', { class: 'thumbnail', src: capturedUrl(picture), alt: say('A picture just taken') }),
    h('button', { type: 'button', class: 'discard', 'data-key': `discard-${picture}`, 'aria-label': say('Throw this picture away'), onclick: () => discard(picture) }, '×'))))];
}

async function discard(picture) {
  discarded.add(picture);
  show();
  if (!(await orShowError(postJson('/api/teaching/discard', { pictures: [picture] })))) discarded.delete(picture);
  await refreshFaces();
}

/** Show the capture that a tap is answered with. */
async function updateFrom(request) {
  taps += 1;
  const answer = await request;
  taps += 1;
  if (answer) update(answer);
}

const takePicture = () => updateFrom(orShowError(postJson('/api/teaching/shutter')));
const toggleAutoCapture = () => updateFrom(orShowError(postJson('/api/teaching/by-itself', { on: !capture.itself })));

function end(sentence) {
  isOver = true;
  showInstead(sentence,
    h('button', { type: 'button', onclick: () => location.reload() }, say('Begin again')),
    h('a', { class: 'button strong', href: dieSetPage(name) }, say('To the dice')));
}

/** Show a sentence and two ways on, and nothing of a capture. */
function showInstead(sentence, ...ways) {
  page.classList.remove('waiting');
  page.classList.add('ended');
  showGuidance(sentence, 'wait');
  byId('over').hidden = false;
  redraw(byId('over'), sentence, () => h('div', { class: 'pair' }, ways));
}

async function finish() {
  if (!(await orShowError(postJson('/api/teaching/rise')))) return;
  isOver = true;
  location.assign(dieSetPage(name));
}

byId('shutter').addEventListener('click', takePicture);
byId('auto-capture').addEventListener('click', toggleAutoCapture);
byId('done').addEventListener('click', finish);

// After a tap the focus leaves the button, so that the space key is the shutter again; keyboard users keep theirs.
page.addEventListener('click', (event) => event.detail && /** @type {HTMLElement | null} */ (document.activeElement)?.blur());
document.addEventListener('keydown', (event) => {
  if (event.key !== ' ' || /** @type {Element} */ (event.target).closest('button, a, dialog') || isOver) return;
  event.preventDefault();
  if (!event.repeat) takePicture();
});
addEventListener('pageshow', (event) => event.persisted && location.reload());
begin();
