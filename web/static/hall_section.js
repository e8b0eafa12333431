// The section of the box's page about the hall: join one by the code that it shows, how it goes, and leave it.

import { AnswerOrder, getJson, postJson } from './api.js';
import { CODE_DICE, drawCodeDice } from './code_dice.js';
import { confirmDialog } from './dialog.js';
import { byId, errorSentence, h, orShowError, redraw, toastError } from './dom.js';
import { say, sayCount } from './say.js';

const LONGEST_NAME = 24;
const LONGEST_ADDRESS = 200;
/** A few entries are on their way at any moment of play. */
const ON_THEIR_WAY = 5;

/** The table's hall as the API shows it. */
let link = null;
let isJoining = false;
let isFormOpen = false;
let code = [];
let problem = '';
const order = new AnswerOrder();

const addressField = field('hall-address', LONGEST_ADDRESS, 'https://hall.local:8443');
addressField.inputMode = 'url';
const nameField = field('hall-name', LONGEST_NAME, say('Table 4'));

/** @param {string} id @param {number} longest @param {string} placeholder */
function field(id, longest, placeholder) {
  return /** @type {HTMLInputElement} */ (h('input', { class: 'name', id, maxlength: longest, autocomplete: 'off', autocapitalize: 'off', spellcheck: false, placeholder }));
}

function show(answer) {
  link = answer;
  redraw(byId('hall'), { link, isJoining, isFormOpen, code, problem }, drawHall);
}

const drawHall = ({ link: found }) => [h('h2', {}, say('Hall')), found.joined ? drawJoined(found) : drawApart()];

function drawJoined({ name, address, trouble, waiting_lines: waiting, last_taken_at: answered }) {
  return [
    h('div', { class: 'none', id: 'hall-status' },
      h('p', {}, say('This table is “{name}” in the hall at {address}.', { name, address })),
      trouble && h('p', { class: 'problem' }, trouble),
      h('p', { class: 'note' }, sentWords(waiting, Boolean(answered)))),
    h('button', { type: 'button', class: 'quiet', id: 'leave-hall', 'data-key': 'leave-hall', onclick: confirmLeave }, say('Leave the hall')),
  ];
}

/** Return how much the hall has; what it took before the start is not known until it answers. */
function sentWords(waiting, hasAnswered) {
  if (!hasAnswered && !waiting) return say('The hall has not answered yet since Vander started.');
  if (!waiting) return say('The hall has everything.');
  return hasAnswered && waiting <= ON_THEIR_WAY
    ? sayCount('{count} entry is on its way.', '{count} entries are on their way.', waiting)
    : sayCount('{count} entry waits; it is sent as soon as the hall takes it.', '{count} entries wait; they are sent as soon as the hall takes them.', waiting);
}

function drawApart() {
  return [
    h('p', { class: 'note' }, say('A hall shows the games of many tables on one screen. Join one, and it hears of each game from now on.')),
    isFormOpen ? drawForm() : h('button', { type: 'button', id: 'open-hall-form', 'data-key': 'open-hall-form', onclick: openForm }, say('Join a hall')),
  ];
}

function openForm() {
  isFormOpen = true;
  addressField.value ||= link.suggested;
  show(link);
  (addressField.value ? nameField : addressField).focus();
}

function drawForm() {
  return h('form', { id: 'hall-form', onsubmit: join },
    h('label', {}, say('The hall’s address'), addressField),
    h('label', {}, say('What is this table called there?'), nameField),
    h('p', { class: 'small' }, say('The hall shows six dice on its page “Tables”. Tap them in here.')),
    drawCodeDice(code, isJoining, enter, removeLast),
    problem && h('p', { class: 'problem', role: 'alert' }, problem),
    h('div', { class: 'pair' },
      h('button', { type: 'button', class: 'quiet', onclick: closeForm }, say('Leave it')),
      h('button', { type: 'submit', class: 'main', id: 'join-hall', disabled: isJoining || code.length < CODE_DICE }, isJoining ? say('Joining…') : say('Join the hall'))));
}

function enter(face) {
  code = [...code, face];
  problem = '';
  show(link);
}

function removeLast() {
  code = code.slice(0, -1);
  show(link);
}

function closeForm() {
  isFormOpen = false;
  code = [];
  problem = '';
  show(link);
}

/** Send the code; a refusal is shown next to the dice. */
async function join(event) {
  event.preventDefault();
  if (isJoining || code.length < CODE_DICE) return;
  const missing = [addressField, nameField].find(({ value }) => !value.trim());
  if (missing) return missing.focus();
  isJoining = true;
  problem = '';
  show(link);
  const answer = await order.change(orShowError(postJson('/api/hall-link/join', { address: addressField.value, code, name: nameField.value }), (error) => (problem = errorSentence(error, 'box'))));
  isJoining = false;
  code = [];
  isFormOpen = !answer;
  show(answer ?? link);
}

function confirmLeave() {
  const { waiting_lines: waiting } = link;
  const lost = waiting ? sayCount('{count} entry waits and will not be sent.', '{count} entries wait and will not be sent.', waiting) : '';
  confirmDialog(say('Leave the hall?'), [say('It hears nothing of this table any more, and keeps what it has.'), lost].filter(Boolean).join(' '), say('Leave the hall'), leave);
}

async function leave() {
  const answer = await order.change(orShowError(postJson('/api/hall-link/leave')));
  if (answer) show(answer);
}

/** Fetch and show how it goes. @returns {Promise<void>} */
export async function refreshHall() {
  if (!byId('hall') || isJoining) return;
  const answer = await order.look(orShowError(getJson('/api/hall-link'), (error) => toastError(error, 'box')));
  if (answer && !isJoining) show(answer);
}
