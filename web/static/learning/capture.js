// The guided capture: the tray as it is seen, what to do next, and the pictures as they are taken.

import { read, tell } from '../api.js';
import { byId, h, redraw } from '../dom.js';
import { captured, deskOf, faceDrawn, facesOf, isSame, look, meters, pageOf, titleIn } from './face_elements.js';
import { inView, pause, watch } from '../live_view.js';

const LOOK_MS = 500;

const page = byId('capture-page');
const name = page.dataset.dice;
const asked = Object.fromEntries(new URLSearchParams(location.search));
const gone = new Set();
let dice = null;
let sitting = null;
let over = false;
let lost = false;
let telling = 0;

async function begin() {
  const going = await look('/api/teaching/sitting');
  const found = await look(deskOf(name));
  dice = found?.dice ?? null;
  const same = going?.sitting?.dice === name && !asked.face;
  const answer = same ? going : await sit(asked.kind ?? '', asked.face ?? '');
  if (!dice || !answer?.sitting) return end('The capture could not begin.');
  take(answer);
  watch(byId('view'), see, () => over);
  return follow();
}

const sit = (kind, face) => tell('/api/teaching/sit', { dice: name, kind, face });

/** Look twice a second how the capture stands; an answer that a tap has overtaken counts for nothing. */
async function follow() {
  while (!over) {
    await inView();
    const before = telling;
    const answer = await read('/api/teaching/sitting').catch(() => null);
    lost = !answer;
    if (answer && before === telling && !over) take(answer);
    else if (lost) say('The table does not answer. Trying again …', 'trouble');
    await pause(LOOK_MS);
  }
}

function take({ sitting: now }) {
  if (over) return;
  if (!now || now.dice !== name) {
    end(now ? `${now.title} is being captured now.` : 'The capture has ended.');
    return;
  }
  const changed = !isSame(sitting, now) || sitting.taken !== now.taken;
  sitting = now;
  if (changed) refreshFaces();
  show();
}

async function refreshFaces() {
  const found = await read(deskOf(name)).catch(() => null);
  if (!found) return;
  dice = found.dice;
  if (!over) show();
}

function show() {
  page.classList.remove('waiting');
  say(sitting.says, sitting.mood);
  redraw(byId('face'), { meter: sitting.meter, title: titleIn(dice, sitting.meter), taken: sitting.taken, in_view: sitting.in_view }, drawFace);
  redraw(byId('strip'), { kinds: dice.kinds, faces: dice.faces, kind: sitting.kind, face: sitting.face }, drawStrip);
  redraw(byId('latest'), sitting.latest.filter((picture) => !gone.has(picture)), drawLatest);
  byId('itself').setAttribute('aria-checked', String(sitting.itself));
}

function say(sentence, mood) {
  if (byId('says').textContent !== sentence) byId('says').textContent = sentence;
  byId('says').dataset.mood = mood;
}

function see(frame) {
  byId('no-view').hidden = Boolean(frame);
  byId('picture').classList.toggle('dark', !frame);
  if (frame) byId('picture').style.aspectRatio = `${frame.naturalWidth} / ${frame.naturalHeight}`;
}

function drawFace({ meter, title, taken, in_view: inSight }) {
  return [
    h('div', { class: 'asked-for' },
      meter.picture ? h('img', { class: 'snap', src: captured(meter.picture), alt: '' }) : faceDrawn(meter.face, meter.title, 'snap'),
      h('div', {}, h('p', { class: 'kicker' }, 'Upward now'), h('h1', {}, title),
        h('p', { class: 'told' }, `${inSight} ${inSight === 1 ? 'die' : 'dice'} in sight, ${taken} taken`))),
    meters(meter),
    meter.advice && h('p', { class: 'advice' }, meter.advice),
  ];
}

function drawStrip({ kinds, kind, face }) {
  return kinds.map((each) => h('div', { class: 'strip-kind' },
    kinds.length > 1 && h('h2', {}, each.title),
    h('div', { class: 'strip-faces' }, facesOf(dice, each.name).map((one) => drawChip(one, isSame(one, { kind, face }))))));
}

function drawChip(face, now) {
  const also = face.face === asked.also && face.kind === asked.kind;
  return h('button', { type: 'button', class: `chip${face.enough ? ' enough' : ''}${also ? ' also' : ''}`, 'data-key': `${face.kind}-${face.face}`, 'data-face': face.face, 'aria-pressed': String(now), 'aria-label': `${face.title}, ${face.pictures} of ${face.wanted}${face.enough ? ', enough' : ''}`, onclick: () => act(sit(face.kind, face.face)) },
    face.picture ? h('img', { class: 'snap', src: captured(face.picture), alt: '' }) : faceDrawn(face.face, face.title, 'snap'),
    h('span', { class: 'name' }, face.title),
    h('span', { class: 'count' }, face.enough ? '✓' : `${face.pictures}/${face.wanted}`));
}

function drawLatest(pictures) {
  if (!pictures.length) return [];
  return [h('h2', {}, 'Just taken'), h('ul', {}, pictures.map((picture) => h('li', { 'data-picture': picture },
    h('img', { class: 'snap', src: captured(picture), alt: 'A picture just taken' }),
    h('button', { type: 'button', class: 'discard', 'data-key': `discard-${picture}`, 'aria-label': 'Throw this picture away', onclick: () => discard(picture) }, '×'))))];
}

async function discard(picture) {
  gone.add(picture);
  show();
  if (!(await tell('/api/teaching/discard', { pictures: [picture] }))) gone.delete(picture);
  await refreshFaces();
}

/** Tell the desk something whose answer is the capture as it stands then. */
async function act(answering) {
  telling += 1;
  const answer = await answering;
  telling += 1;
  if (answer) take(answer);
}

const shoot = () => act(tell('/api/teaching/shutter'));

function end(sentence) {
  over = true;
  page.classList.remove('waiting');
  page.classList.add('ended');
  say(sentence, 'wait');
  const again = () => location.reload();
  byId('over').hidden = false;
  redraw(byId('over'), sentence, () => h('div', { class: 'pair' },
    h('button', { type: 'button', onclick: again }, 'Begin again'),
    h('a', { class: 'button strong', href: pageOf(name) }, 'To the dice')));
}

async function done() {
  if (await tell('/api/teaching/rise')) leave();
}

function leave() {
  over = true;
  location.assign(pageOf(name));
}

byId('shutter').addEventListener('click', shoot);
byId('itself').addEventListener('click', () => act(tell('/api/teaching/by-itself', { on: !sitting.itself })));
byId('done').addEventListener('click', done);

// After a tap the focus goes back to the page, so that the space key is the shutter again; who walks by Tab keeps it.
page.addEventListener('click', (event) => event.detail && document.activeElement?.blur());
document.addEventListener('keydown', (event) => {
  if (event.key !== ' ' || event.target.closest('button, a, dialog') || over) return;
  event.preventDefault();
  if (!event.repeat) shoot();
});
addEventListener('pageshow', (event) => event.persisted && location.reload());
begin();
