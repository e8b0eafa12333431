// A player's phone at a table of the hall: type a name, join the table, see one's place, and leave.

import { AnswerOrder, getJson, postJson } from './api.js';
import { byId, errorSentence, h, orShowError, redraw } from './dom.js';
import { say } from './say.js';

const LONGEST_NAME = 24;
const POLL_MS = 5000;
const ASK_MS = 250;
const FEWEST_LETTERS = 2;

const url = `/api/hall/join/${encodeURIComponent(byId('join-table').dataset.link)}`;
const order = new AnswerOrder();
const nameOrder = new AnswerOrder();
/** The table as the API shows it. */
let table = null;
let problem = '';
let isAsking = false;
let asking;

const offered = h('datalist', { id: 'known-names' });
const nameField = /** @type {HTMLInputElement} */ (h('input', { class: 'name', id: 'player-name', maxlength: LONGEST_NAME, autocomplete: 'off', autocapitalize: 'words', spellcheck: false, list: 'known-names', placeholder: say('Your name'), 'aria-label': say('Your name') }));

/** The phone's place among those who wait, from 0; -1 where it does not wait: its name may be another player's, too. */
const place = () => (table.joined ? table.waiting.indexOf(table.own) : -1);

function show(answer) {
  if (!table) nameField.value = answer.own;
  table = answer;
  byId('join-table').classList.remove('waiting');
  redraw(byId('joining'), { table, problem, isAsking }, drawJoining);
  redraw(byId('waiting-players'), table.waiting, drawWaiting);
}

function drawJoining() {
  return place() < 0 ? drawForm() : [
    h('h1', { id: 'own-place' }, placeWords(place() + 1)),
    h('p', {}, say('Look at the table’s page: “New game” there offers your name.')),
    problem && h('p', { class: 'problem', role: 'alert' }, problem),
    h('button', { type: 'button', class: 'quiet', id: 'leave-table', disabled: isAsking, onclick: () => change(postJson(`${url}/leave`)) }, say('Leave the table')),
  ];
}

/** @param {number} number the player's place, from 1 */
function placeWords(number) {
  const words = [say('You are first at {table}.', { table: table.table }), say('You are second at {table}.', { table: table.table }), say('You are third at {table}.', { table: table.table })];
  return words[number - 1] ?? say('You are number {number} at {table}.', { number, table: table.table });
}

function drawForm() {
  return h('form', { id: 'join-form', onsubmit: join },
    h('h1', {}, say('Join {table}', { table: table.table })),
    h('label', {}, say('What are you called?'), nameField, offered),
    problem && h('p', { class: 'problem', role: 'alert' }, problem),
    h('button', { type: 'submit', class: 'main', id: 'join-in', disabled: isAsking }, say('Join {table}', { table: table.table })));
}

const drawWaiting = (names) => names.length > 0 && [h('h2', {}, say('Who waits here')), h('ol', { class: 'waiting-names' }, names.map((name) => h('li', {}, name)))];

function join(event) {
  event.preventDefault();
  if (!nameField.value.trim()) return nameField.focus();
  return change(postJson(url, { name: nameField.value }));
}

async function change(request) {
  isAsking = true;
  problem = '';
  show(table);
  const answer = await order.change(orShowError(request, (error) => (problem = errorSentence(error))));
  isAsking = false;
  show(answer ?? table);
}

async function offerNames() {
  const begins = nameField.value.trim();
  const answer = begins.length < FEWEST_LETTERS ? { names: [] } : await nameOrder.look(getJson(`${url}/names?begins=${encodeURIComponent(begins)}`).catch(() => null));
  if (answer) offered.replaceChildren(...answer.names.map((name) => h('option', { value: name })));
}

async function refresh() {
  const answer = await order.look(orShowError(getJson(url), (error) => table || (byId('joining').textContent = errorSentence(error))));
  if (answer && !isAsking) show(answer);
}

nameField.addEventListener('input', () => {
  clearTimeout(asking);
  asking = setTimeout(offerNames, ASK_MS);
});

await refresh();
setInterval(() => document.hidden || refresh(), POLL_MS);
