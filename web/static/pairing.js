// Joining in: the six dice that the box shows, entered by taps, or brought along by a QR code that was scanned.

import { getJson, postJson } from './api.js';
import { CODE_DICE, FACES, drawCodeDice, scannedCode } from './code_dice.js';
import { confirmDialog } from './dialog.js';
import { byId, errorSentence, h, orShowError, redraw } from './dom.js';
import { waitingTime } from './format.js';
import { say, sayParts } from './say.js';
import { LAST_KEEPER } from './viewer.js';

const POLL_MS = 2000;
const LONGEST_NAME = 24;

/** This browser's access as the API shows it. */
let access = null;
/** The faces that are filled in; those of a scanned code are there from the start. */
let code = scannedCode(location.hash);
const isScanned = code.length > 0;
if (location.hash) history.replaceState(null, '', location.pathname); // a code that is used up is not kept in the history
let problem = '';
let isJoining = false;

const nameField = /** @type {HTMLInputElement} */ (h('input', { class: 'name', id: 'name', maxlength: LONGEST_NAME, autocomplete: 'off', placeholder: say('Kitchen tablet'), 'aria-label': say('What this tablet is called') }));

function show(answer) {
  access = answer;
  byId('pairing-page').classList.remove('waiting');
  const isPaired = access.role !== 'watcher';
  const isCodeShown = !isPaired && access.asking.shown;
  redraw(byId('instructions'), { paired: isPaired && access, isCodeShown, hasCode: code.length, isRefused: isRefused(), keeper: keeperNote(), problem, wait: waitSeconds(), trouble: access.trouble }, drawInstructions);
  redraw(byId('code'), { isCodeShown, code, isJoining }, drawCode);
  redraw(byId('actions'), { isPaired, role: access.role, tablet: Boolean(access.tablet), isCodeShown, isWaiting: isRefused() || waitSeconds() > 0 }, drawActions);
  const button = byId('join');
  if (button) button.disabled = isJoining || code.length < CODE_DICE;
}

const waitSeconds = () => (access.asking.shown ? 0 : Math.ceil(access.asking.wait_s));

/** True after several codes that nobody used: the box shows no more until a keeper or its button allows them. */
const isRefused = () => access.asking.refused && !access.asking.shown;

/** What becomes of the tablet that gives the code, where that is not a player's. */
const keeperNote = () => (access.asking.makes_keeper ? 'becomes' : access.has_keeper ? '' : 'none');

const INSTRUCTIONS = {
  ask: [say('Ask for a code'), say('The box then shows six dice for five minutes, and you tap them in here.')],
  scanned: [say('Join in'), say('The code is filled in from what you scanned.')],
  look: [say('Look at the box'), say('It shows six dice: on its screen, or counted out by the flashes of its lamp. Tap them in here.')],
  refused: [say('No more codes for now'), say('Three codes were shown and not used. Ask a keeper to allow more, or press the box’s button.')],
};

function drawInstructions({ paired, isCodeShown, isRefused: refused, keeper, wait, trouble }) {
  if (paired) return drawPaired(paired);
  const [title, what] = INSTRUCTIONS[isCodeShown ? (isScanned && code.length === CODE_DICE ? 'scanned' : 'look') : refused ? 'refused' : 'ask'];
  return [
    h('h1', {}, title),
    h('p', {}, what),
    isCodeShown && !problem && h('p', { class: 'small' }, sayParts('No screen and no lamp? {command}, typed on the box, tells them.', { command: h('code', {}, 'vander pair') })),
    isCodeShown && keeper === 'becomes' && h('p', { class: 'small' }, say('This tablet becomes the keeper’s, and may look after the box.')),
    isCodeShown && keeper === 'none' && h('p', { class: 'small', id: 'no-keeper' }, say('The box has no keeper. Press its button now, and this tablet becomes the keeper’s.')),
    trouble && h('p', { class: 'problem' }, trouble),
    problem && h('p', { class: 'problem', role: 'alert' }, problem),
    wait > 0 && h('p', { class: 'problem' }, say('You can ask for a new code in {wait}; on the box itself, at once.', { wait: waitingTime(wait) })),
  ];
}

function drawPaired({ role, tablet, at_the_box: isAtBox }) {
  return [
    h('h1', {}, say('You have joined in')),
    h('p', {}, role === 'camera' ? say('This phone is the camera. Decide with another one.') : pairedWords(role === 'keeper', isAtBox ? null : tablet.name)),
  ];
}

/** Return what a browser that has joined in may do; `name` is the tablet's, null for the browser on the box itself. */
function pairedWords(keeps, name) {
  if (name === null) return keeps ? say('This browser is on the box itself, and the table’s keeper.') : say('This browser is on the box itself, and may decide at the table.');
  return keeps ? say('This tablet is “{name}”, and the table’s keeper.', { name }) : say('This tablet is “{name}”, and may decide at the table.', { name });
}

function drawCode({ isCodeShown }) {
  if (!isCodeShown || (isScanned && code.length === CODE_DICE)) return [];
  return drawCodeDice(code, isJoining, enter, removeLast);
}

function enter(face) {
  if (isJoining || code.length === CODE_DICE || !access?.asking.shown) return;
  code = [...code, face];
  problem = '';
  show(access);
}

function removeLast() {
  code = code.slice(0, -1);
  show(access);
}

function drawActions({ isPaired, isCodeShown, isWaiting }) {
  if (isPaired) return drawPairedActions();
  if (!isCodeShown) return h('button', { type: 'button', class: 'main', id: 'ask', disabled: isWaiting, onclick: requestCode }, say('Ask for a code'));
  return [
    h('label', {}, say('What should this tablet be called?'), nameField),
    h('button', { type: 'button', class: 'main', id: 'join', onclick: join }, say('Join in')),
  ];
}

function drawPairedActions() {
  return [
    h('a', { class: 'button strong', id: 'go', href: '/' }, say('To the table')),
    access.role === 'keeper' && h('a', { class: 'button', href: '/box' }, say('The box')),
    access.tablet?.number > 0 && h('button', { type: 'button', class: 'quiet', id: 'leave', onclick: confirmLeave }, say('Leave: only watch from now on')),
  ];
}

async function requestCode() {
  code = [];
  problem = '';
  const answer = await orShowError(postJson('/api/door/ask'));
  if (answer) show(answer);
  else await refresh();
}

/** Send the code; a refusal is shown next to the dice. */
async function join() {
  isJoining = true;
  show(access);
  let refusal = '';
  const joined = await orShowError(postJson('/api/door/pair', { code, name: nameField.value }), (error) => (refusal = errorSentence(error)));
  isJoining = false;
  if (joined) return location.assign('/');
  code = [];
  problem = refusal;
  return refresh();
}

/** Leave; the last keeper is warned first. */
function confirmLeave() {
  if (!access.last_keeper) return leave();
  return confirmDialog(say('Leave as the last keeper?'), LAST_KEEPER, say('Leave'), () => leave(true));
}

async function leave(confirm = false) {
  if (await orShowError(postJson('/api/door/leave', { confirm }))) location.assign('/');
}

async function refresh() {
  const answer = await getJson('/api/door').catch(() => null);
  if (answer) show(answer);
}

addEventListener('keydown', (event) => {
  if (event.target === nameField || event.ctrlKey || event.metaKey || event.altKey) return;
  if (FACES.includes(Number(event.key))) enter(Number(event.key));
  else if (event.key === 'Backspace' && code.length && !isJoining) removeLast();
});
nameField.addEventListener('keydown', (event) => event.key === 'Enter' && code.length === CODE_DICE && !isJoining && join());

await refresh();
if (access && access.role === 'watcher' && !access.asking.shown && !isRefused() && !waitSeconds()) await requestCode();
setInterval(() => isJoining || document.hidden || refresh(), POLL_MS);
