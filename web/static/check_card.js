// The card that now and then asks "Is this right?". It waits next to the game and never blocks it.

import { getJson, pictureUrl, postJson } from './api.js';
import { closeButton, closeDialog, dialogTitle, openDialog } from './dialog.js';
import { faceIcon } from './die_faces.js';
import { byId, h, redraw } from './dom.js';
import { faceChoice } from './table_dialogs.js';
import { orShowError } from './toast.js';

const WHOLE_NUMBER = /^[1-9]\d*$/;

/** The number of the check that the snapshot names, '' for none. */
let number = '';
/** The check as fetched, null before that and after its answer. */
let check = null;
/** Each die's possible faces, and what a person says that a wrong one shows. */
let faces = new Map();
let corrections = new Map();
let isCorrecting = false;

/** Show, keep or remove the card as a snapshot says. @param {any} snapshot @returns {Promise<void>} */
export async function showCheck({ extras, dice }) {
  const named = WHOLE_NUMBER.test(extras.check ?? '') ? extras.check : '';
  if (named !== number) reset(named);
  for (const die of dice) if (die.faces.length) faces.set(die.number, die.faces);
  if (named && !check) await fetchCheck(named);
  else show();
}

function reset(named) {
  number = named;
  check = null;
  isCorrecting = false;
  corrections = new Map();
  faces = new Map();
}

async function fetchCheck(named) {
  const answer = await getJson('/api/check').catch(() => null);
  if (named !== number) return;
  check = answer?.check ?? null;
  show();
}

function show() {
  redraw(byId('check'), check && { check, isCorrecting, corrections: [...corrections], known: [...faces.keys()] }, draw);
}

function draw(view) {
  if (!view) return [];
  return h('div', { class: isCorrecting ? 'check correcting' : 'check' },
    h('h2', {}, isCorrecting ? 'Which die is wrong? Tap it.' : 'Is this right?'),
    h('ul', { class: 'check-dice' }, check.dice.map((die) => h('li', {}, drawDie(die)))),
    isCorrecting ? drawSendButtons() : h('div', { class: 'pair' },
      h('button', { type: 'button', class: 'strong', id: 'all-right', 'data-key': 'all-right', onclick: send }, 'All right'),
      h('button', { type: 'button', id: 'one-wrong', 'data-key': 'one-wrong', onclick: () => setCorrecting(true) }, 'One is wrong')));
}

function drawDie(die) {
  const correction = corrections.get(die.number);
  const content = [
    die.picture ? h('img', { src: pictureUrl(die.picture), alt: '' }) : faceIcon(''),
    h('span', { class: correction && 'mistaken' }, die.title || 'unread'),
    correction && h('strong', {}, correction.title),
  ];
  if (!isCorrecting) return h('div', { class: 'check-die' }, content);
  return h('button', { type: 'button', class: 'check-die', 'data-die': die.number, 'data-key': `check-${die.number}`, 'aria-pressed': String(Boolean(correction)), disabled: !faces.has(die.number), onclick: () => openFaceChoice(die) }, content);
}

function drawSendButtons() {
  return h('div', { class: 'pair' },
    h('button', { type: 'button', class: 'quiet', id: 'check-back', 'data-key': 'check-back', onclick: () => setCorrecting(false) }, 'Back'),
    h('button', { type: 'button', class: 'strong', id: 'send-check', 'data-key': 'send-check', disabled: !corrections.size, onclick: send }, 'Send'));
}

function setCorrecting(on) {
  isCorrecting = on;
  corrections = new Map();
  show();
}

function openFaceChoice(die) {
  const choose = (face) => {
    closeDialog();
    corrections.set(die.number, face);
    show();
  };
  openDialog(
    dialogTitle('What does this die show?'),
    die.picture && h('img', { class: 'portrait', src: pictureUrl(die.picture), alt: 'The die as the camera sees it' }),
    h('div', { class: 'faces' }, faces.get(die.number).map((one) => faceChoice(one.face, one.title, false, () => choose(one)))),
    closeButton('Leave it as it is'),
  );
}

async function send() {
  const wrong = Object.fromEntries([...corrections].map(([die, { face }]) => [die, face]));
  if (!(await orShowError(postJson('/api/check', { number: check.number, wrong })))) return;
  check = null;
  show();
}
