// The cards that ask something next to the game: now and then whether a throw was read right, and whether a change stands.

import { getJson, pictureUrl, postJson } from './api.js';
import { closeButton, closeDialog, dialogTitle, openDialog } from './dialog.js';
import { faceIcon } from './die_faces.js';
import { byId, h, orShowError, redraw } from './dom.js';
import { symbolIcon } from './interventions.js';
import { say } from './say.js';
import { faceChoice } from './table_dialogs.js';
import { mayDecide } from './viewer.js';

/* “Is this right?” marks the dice that are shown, and never blocks the game */

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
  redraw(byId('check'), check && { check, isCorrecting, corrections: [...corrections], hidden: hiddenDice() }, drawCheck);
  markDice();
}

/** Return the dice of the check that do not lie among the dice shown: only these are drawn in the card. */
const hiddenDice = () => check.dice.filter(({ number }) => !shownDie(number)).map(({ number }) => number);

const shownDie = (number) => byId('dice').querySelector(`[data-die="${number}"]`);

/** Mark the dice that are shown with what is said of each: to be looked at, right so far, or wrong. */
function markDice() {
  for (const die of byId('dice').querySelectorAll('[data-check]')) {
    delete die.dataset.check;
    die.removeAttribute('aria-description');
  }
  for (const { number } of check?.dice ?? []) {
    const die = shownDie(number);
    if (!die) continue;
    die.dataset.check = corrections.has(number) ? 'wrong' : isCorrecting ? 'open' : 'asked';
    die.setAttribute('aria-description', isCorrecting ? say('Tap it if it is wrong') : say('Is this right?'));
  }
}

/** While a wrong die is looked for, a tap on one that is shown says that it is wrong, and opens nothing else. */
function onDieTap(event) {
  const tapped = isCorrecting && check ? event.target.closest('[data-check]') : null;
  if (!tapped) return;
  event.stopImmediatePropagation();
  event.preventDefault();
  openFaceChoice(check.dice.find(({ number }) => number === Number(tapped.dataset.die)));
}

byId('dice').addEventListener('click', onDieTap, true);

function drawCheck(view) {
  if (!view) return [];
  return h('div', { class: isCorrecting ? 'check correcting' : 'check' },
    h('h2', {}, isCorrecting ? say('Which die is wrong? Tap it.') : say('Is this right?')),
    drawHidden(view.hidden),
    drawCorrections(),
    isCorrecting ? drawSendButtons() : h('div', { class: 'pair' },
      h('button', { type: 'button', class: 'strong', id: 'all-right', 'data-key': 'all-right', onclick: send }, say('Yes')),
      h('button', { type: 'button', id: 'one-wrong', 'data-key': 'one-wrong', onclick: () => setCorrecting(true) }, say('No'))));
}

const drawHidden = (hidden) => hidden.length > 0 && h('ul', { class: 'check-dice' }, check.dice.filter(({ number }) => hidden.includes(number)).map((die) => h('li', {}, drawDie(die))));

/** Draw what was said of the dice that are shown: what each was read as, and what it shows. */
const drawCorrections = () => corrections.size > 0 && h('ul', { class: 'check-changes' }, check.dice.filter(({ number }) => corrections.has(number)).map(({ number, title }) =>
  h('li', { 'data-die': number }, h('span', { class: 'mistaken' }, title || say('unread')), ' ', h('strong', {}, corrections.get(number).title))));

function drawDie(die) {
  const content = [die.picture ? h('img', { src: pictureUrl(die.picture), alt: '' }) : faceIcon(''), h('span', {}, die.title || say('unread'))];
  if (!isCorrecting) return h('div', { class: 'check-die' }, content);
  return h('button', { type: 'button', class: 'check-die', 'data-die': die.number, 'data-key': `check-${die.number}`, 'aria-pressed': String(corrections.has(die.number)), disabled: !faces.has(die.number), onclick: () => openFaceChoice(die) }, content);
}

function drawSendButtons() {
  return h('div', { class: 'pair' },
    h('button', { type: 'button', class: 'quiet', id: 'check-back', 'data-key': 'check-back', onclick: () => setCorrecting(false) }, say('Back')),
    h('button', { type: 'button', class: 'strong', id: 'send-check', 'data-key': 'send-check', disabled: !corrections.size, onclick: send }, say('Send')));
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
    dialogTitle(say('What does this die show?')),
    die.picture && h('img', { class: 'portrait', src: pictureUrl(die.picture), alt: say('The die as the camera sees it') }),
    h('div', { class: 'faces' }, faces.get(die.number).map((one) => faceChoice(one.face, one.title, false, () => choose(one)))),
    closeButton(say('Leave it as it is')),
  );
}

async function send() {
  const wrong = Object.fromEntries([...corrections].map(([die, { face }]) => [die, face]));
  if (!(await orShowError(postJson('/api/check', { number: check.number, wrong })))) return;
  check = null;
  show();
}

/* A change of the score that waits until another seat confirms it */

/** Show the change that waits, or nothing. @param {any} change @param {(snapshot: any) => void} onAnswered @returns {void} */
export function showUnconfirmed(change, onAnswered) {
  redraw(byId('unconfirmed'), change && { ...change, decides: mayDecide() }, (view) => view && drawUnconfirmed(view, onAnswered));
}

function drawUnconfirmed({ number, sentence, device, decides }, onAnswered) {
  const send = async (agrees) => {
    const snapshot = await orShowError(postJson('/api/confirm', { number, agrees }));
    if (snapshot) onAnswered(snapshot);
  };
  return h('div', { class: 'check' },
    h('h2', {}, symbolIcon('pen'), say('{device} asks another seat', { device: device || say('A tablet') })),
    h('p', { class: 'change-asked' }, sentence),
    decides && h('div', { class: 'pair' },
      h('button', { type: 'button', id: 'decline', 'data-key': 'decline', onclick: () => send(false) }, say('No')),
      h('button', { type: 'button', class: 'strong', id: 'confirm', 'data-key': 'confirm', onclick: () => send(true) }, say('Yes, so it was'))));
}
