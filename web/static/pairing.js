// Joining in: the six dice that the box shows, filled in by taps.

import { read, tell } from './api.js';
import { byId, h, redraw } from './dom.js';
import { faceIcon } from './die_faces.js';

const DICE = 6;
const FACES = [1, 2, 3, 4, 5, 6];
const LOOK_MS = 2000;
const LONGEST_NAME = 24;

let now = null;
let code = [];
let wrong = '';
let busy = false;

const nameField = h('input', { class: 'name', id: 'name', maxlength: LONGEST_NAME, autocomplete: 'off', placeholder: 'Kitchen tablet', 'aria-label': 'What this tablet is called' });

function show(found) {
  now = found;
  byId('pair-page').classList.remove('waiting');
  const inside = found.role !== 'watcher';
  const asks = !inside && found.asking.shown;
  redraw(byId('told'), { inside, found: inside && found, asks, wrong, wait: waits(), trouble: found.trouble }, drawTold);
  redraw(byId('code'), { asks, code, busy }, drawCode);
  drawWay(inside, asks);
}

const waits = () => (now.asking.shown ? 0 : Math.ceil(now.asking.wait_s));

function drawTold({ inside, found, asks, wait, trouble }) {
  if (inside) return drawInside(found);
  return [
    h('h1', {}, asks ? 'Look at the box' : 'Ask for a code'),
    h('p', {}, asks ? 'It shows six dice: on its screen, or counted out by the flashes of its lamp. Tap them in here.' : 'The box then shows six dice for five minutes, and you tap them in here.'),
    asks && !wrong && h('p', { class: 'small' }, 'No screen and no lamp? ', h('code', {}, 'vander pair'), ', typed on the box, tells them.'),
    trouble && h('p', { class: 'problem' }, trouble),
    wrong && h('p', { class: 'problem', role: 'alert' }, wrong),
    wait > 0 && h('p', { class: 'problem' }, `A new code may be asked for in ${wait < 90 ? `${wait} s` : `${Math.ceil(wait / 60)} minutes`}; on the box itself at once.`),
  ];
}

function drawInside({ role, tablet, at_the_box: atTheBox }) {
  const who = atTheBox ? 'This browser is on the box itself' : `This tablet is “${tablet.name}”`;
  return [
    h('h1', {}, 'You have joined in'),
    h('p', {}, `${who}, ${role === 'keeper' ? 'and the table’s keeper' : 'and may decide at the table'}.`),
  ];
}

function drawCode({ asks }) {
  if (!asks) return [];
  const place = code.length;
  return [
    h('ol', { class: 'slots', 'aria-label': code.length ? `Filled in: ${code.join(' ')}` : 'Nothing filled in yet' },
      Array.from({ length: DICE }, (_, at) => h('li', { class: at === place ? 'slot next' : 'slot' }, code[at] ? faceIcon(`pip-${code[at]}`) : ''))),
    h('div', { class: 'keys' }, FACES.map((face) =>
      h('button', { type: 'button', class: 'key', 'data-face': face, 'data-key': `face-${face}`, 'aria-label': String(face), disabled: busy || place === DICE, onclick: () => put(face) }, faceIcon(`pip-${face}`)))),
    h('button', { type: 'button', class: 'quiet', id: 'back', 'data-key': 'back', disabled: busy || !place, onclick: back }, 'Take one back'),
  ];
}

function put(face) {
  if (busy || code.length === DICE || !now?.asking.shown) return;
  code = [...code, face];
  wrong = '';
  show(now);
}

function back() {
  code = code.slice(0, -1);
  show(now);
}

function drawWay(inside, asks) {
  const waiting = waits() > 0;
  redraw(byId('way'), { inside, role: now.role, own: Boolean(now.tablet), asks, waiting }, () => {
    if (inside) return drawWaysOn();
    if (!asks) return h('button', { type: 'button', class: 'main', id: 'ask', disabled: waiting, onclick: ask }, 'Ask for a code');
    return [
      h('label', {}, 'What shall this tablet be called?', nameField),
      h('button', { type: 'button', class: 'main', id: 'join', onclick: join }, 'Join in'),
    ];
  });
  const button = byId('join');
  if (button) button.disabled = busy || code.length < DICE;
}

function drawWaysOn() {
  return [
    h('a', { class: 'button strong', id: 'go', href: '/' }, 'To the table'),
    now.role === 'keeper' && h('a', { class: 'button', href: '/box' }, 'The box'),
    now.tablet?.number > 0 && h('button', { type: 'button', class: 'quiet', id: 'leave', onclick: leave }, 'Leave: only watch from now on'),
  ];
}

async function ask() {
  code = [];
  wrong = '';
  const found = await tell('/api/door/ask');
  if (found) show(found);
  else await look();
}

async function join() {
  busy = true;
  show(now);
  const { joined, sentence } = await tried({ code, name: nameField.value });
  busy = false;
  if (joined) return location.assign('/');
  code = [];
  wrong = sentence;
  return look();
}

/** Give the code; what is wrong with it is said beside the dice. */
async function tried(body) {
  const refused = [];
  const joined = await tell('/api/door/pair', body, undefined, (sentence) => refused.push(sentence));
  return { joined, sentence: refused[0] ?? '' };
}

async function leave() {
  if (await tell('/api/door/leave')) location.assign('/');
}

async function look() {
  const found = await read('/api/door').catch(() => null);
  if (found) show(found);
  return found;
}

addEventListener('keydown', (event) => {
  if (event.target === nameField || event.ctrlKey || event.metaKey || event.altKey) return;
  if (FACES.includes(Number(event.key))) put(Number(event.key));
  else if (event.key === 'Backspace' && code.length && !busy) back();
});
nameField.addEventListener('keydown', (event) => event.key === 'Enter' && code.length === DICE && !busy && join());

await look();
setInterval(() => busy || document.hidden || look(), LOOK_MS);
