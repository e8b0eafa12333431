// The card that now and then asks: is this right? It waits beside the game and never stands in its way.

import { read, tell } from './api.js';
import { byId, h, picture, redraw } from './dom.js';
import { faceIcon } from './die_faces.js';
import { faceButton } from './table_dialogs.js';
import { cancel, close, open, title } from './dialog.js';

const WHOLE = /^[1-9]\d*$/;

let number = '';
let check = null;
let faces = new Map();
let wrong = new Map();
let looking = false;

/** The table has a new snapshot: bring the card, keep it, or take it away. */
export async function showCheck({ extras, dice }) {
  const asked = WHOLE.test(extras.check ?? '') ? extras.check : '';
  if (asked !== number) forget(asked);
  for (const die of dice) if (die.faces.length) faces.set(die.number, die.faces);
  if (asked && !check) await fetchCheck(asked);
  else show();
}

function forget(asked) {
  number = asked;
  check = null;
  looking = false;
  wrong = new Map();
  faces = new Map();
}

async function fetchCheck(asked) {
  const found = await read('/api/check').catch(() => null);
  if (asked !== number) return;
  check = found?.check ?? null;
  show();
}

function show() {
  redraw(byId('check'), check && { check, looking, wrong: [...wrong], known: [...faces.keys()] }, draw);
}

function draw(value) {
  if (!value) return [];
  return h('div', { class: looking ? 'check looking' : 'check' },
    h('h2', {}, looking ? 'Which die is wrong? Tap it.' : 'Is this right?'),
    h('ul', { class: 'check-dice' }, check.dice.map((die) => h('li', {}, drawDie(die)))),
    looking ? drawSend() : h('div', { class: 'pair' },
      h('button', { type: 'button', class: 'strong', id: 'all-right', 'data-key': 'all-right', onclick: send }, 'All right'),
      h('button', { type: 'button', id: 'one-wrong', 'data-key': 'one-wrong', onclick: () => look(true) }, 'One is wrong')));
}

function drawDie(die) {
  const said = wrong.get(die.number);
  const about = [
    die.picture ? h('img', { src: picture(die.picture), alt: '' }) : faceIcon(''),
    h('span', { class: said && 'mistaken' }, die.title || 'unread'),
    said && h('strong', {}, said.title),
  ];
  if (!looking) return h('div', { class: 'check-die' }, about);
  return h('button', { type: 'button', class: 'check-die', 'data-die': die.number, 'data-key': `check-${die.number}`, 'aria-pressed': String(Boolean(said)), disabled: !faces.has(die.number), onclick: () => chooseFace(die) }, about);
}

function drawSend() {
  return h('div', { class: 'pair' },
    h('button', { type: 'button', class: 'quiet', id: 'check-back', 'data-key': 'check-back', onclick: () => look(false) }, 'Back'),
    h('button', { type: 'button', class: 'strong', id: 'send-check', 'data-key': 'send-check', disabled: !wrong.size, onclick: send }, 'Send'));
}

function look(on) {
  looking = on;
  wrong = new Map();
  show();
}

function chooseFace(die) {
  const choose = (face) => {
    close();
    wrong.set(die.number, face);
    show();
  };
  open(
    title('What does this die show?'),
    die.picture && h('img', { class: 'portrait', src: picture(die.picture), alt: 'The die as the camera sees it' }),
    h('div', { class: 'faces' }, faces.get(die.number).map((one) => faceButton(one.face, one.title, false, () => choose(one)))),
    cancel('Leave it as it is'),
  );
}

async function send() {
  const told = Object.fromEntries([...wrong].map(([die, { face }]) => [die, face]));
  if (!(await tell('/api/check', { number: check.number, wrong: told }))) return;
  check = null;
  show();
}
