// The box's page, for keepers: its paired tablets, its settings, and shutting it down.

import { refreshAccess } from './access.js';
import { AnswerOrder, getJson, postJson } from './api.js';
import { closeButton, closeDialog, confirmDialog, dialogTitle, openDialog } from './dialog.js';
import { byId, h, orShowError, redraw, toastError } from './dom.js';
import { refreshHall } from './hall_section.js';
import { say } from './say.js';
import { LAST_KEEPER } from './viewer.js';

const POLL_MS = 5000;
const LONGEST_NAME = 24;

/** The box as the API shows it. */
let box = null;
let isShuttingDown = false;
const order = new AnswerOrder();

function show(answer) {
  box = answer;
  byId('box-page').classList.remove('waiting');
  redraw(byId('tablets'), { tablets: box.tablets, codesRefused: box.codes_refused, names: playerNames(box) }, drawTablets);
  redraw(byId('seats'), box.tablets.length ? box.seats : null, drawSeats);
  redraw(byId('settings'), box.chosen, drawSettings);
  redraw(byId('shutdown'), { canShutDown: box.power_off, isShuttingDown }, drawShutdown);
}

/* Tablets */

const isKeepers = ({ role }) => role === 'keeper';

const isLastKeepers = (tablet) => isKeepers(tablet) && box.tablets.filter(isKeepers).length === 1;

/** The players whose phones tablets can be: those of the game, and those that are bound already. */
const playerNames = ({ tablets, seats }) => [...new Set([...seats.players, ...tablets.map(({ player }) => player).filter(Boolean)])];

function drawTablets({ tablets, codesRefused, names }) {
  return [
    h('div', { class: 'heading' }, h('h2', {}, say('Tablets')),
      h('button', { type: 'button', class: 'main', id: 'show-code', 'data-key': 'show-code', onclick: requestCode }, say('Let one in'))),
    tablets.length
      ? h('ul', { class: 'tablets' }, tablets.map((tablet) => drawTablet(tablet, names)))
      : h('p', { class: 'none' }, say('No tablet has joined in. The next one that you let in is the keeper’s.')),
    tablets.length > 0 && !tablets.some(isKeepers) && h('p', { class: 'note' }, say('No tablet is a keeper’s. The next one that you let in here becomes one.')),
    codesRefused && h('div', { id: 'codes-refused' },
      h('p', { class: 'problem' }, say('Three codes were asked for and not used. Nobody gets one now until you allow it.')),
      h('button', { type: 'button', id: 'allow-codes', 'data-key': 'allow-codes', onclick: allowCodes }, say('Let people ask again'))),
    h('p', { class: 'note' }, say('Anybody in your network may watch. A tablet that taps “Join in” and types the dice that the box shows may decide, too.')),
  ];
}

function drawTablet(tablet, names) {
  const isKeeper = isKeepers(tablet);
  return h('li', { class: 'tablet', 'data-number': tablet.number },
    h('div', {},
      h('h2', {}, tablet.name, tablet.own && h('em', {}, say('this one'))),
      h('p', { class: 'note' }, tablet.role === 'camera' ? say('Camera · joined in {joined}, last here {last}', { joined: tablet.paired_on, last: tablet.used_on }) : isKeeper ? say('Keeper · joined in {joined}, last here {last}', { joined: tablet.paired_on, last: tablet.used_on }) : say('Player · joined in {joined}, last here {last}', { joined: tablet.paired_on, last: tablet.used_on }))),
    h('div', { class: 'changes' },
      names.length > 0 && drawPlayerChoice(tablet, names),
      h('button', { type: 'button', class: 'quiet', 'data-key': `rename-${tablet.number}`, onclick: () => rename(tablet) }, say('Rename')),
      h('button', { type: 'button', class: 'quiet', 'data-key': `role-${tablet.number}`, onclick: () => changeRole(tablet, !isKeeper) }, isKeeper ? say('Make player') : say('Make keeper')),
      h('button', { type: 'button', class: 'grave', 'data-key': `forget-${tablet.number}`, onclick: () => forget(tablet) }, say('Forget'))));
}

function drawPlayerChoice(tablet, names) {
  const bind = (event) => changeTablets(tabletApi(tablet, 'bind'), { player: event.target.value });
  return h('label', { class: 'whose' }, say('Whose:'), ' ',
    h('select', { 'data-key': `player-${tablet.number}`, onchange: bind },
      [['', say('the table’s')], ...names.map((name) => [name, say('{name}’s phone', { name })])].map(([value, words]) => h('option', { value, selected: value === tablet.player }, words))));
}

/* Seats */

function drawSeats(seats) {
  if (!seats) return [];
  const { own_seat_only: ownOnly, confirm } = seats;
  const change = (changed) => changeTablets('/api/door/seats', { own_seat_only: ownOnly, confirm, ...changed });
  return [
    h('h2', {}, say('Phones of one player')),
    drawSwitch('own-seat-only', say('A player’s phone taps for that player alone'), ownOnly, () => change({ own_seat_only: !ownOnly })),
    drawSwitch('confirm-changes', say('Corrections and take-backs of a player’s phone wait until another player’s says yes'), confirm, () => change({ confirm: !confirm })),
    h('p', { class: 'note' }, say('Both are for tablets that are one player’s, above. This box and other keepers may say yes for anybody.')),
  ];
}

const drawSwitch = (id, words, isOn, onclick) =>
  h('button', { type: 'button', class: 'switch', id, role: 'switch', 'data-key': id, 'aria-checked': String(isOn), onclick }, words);

const tabletApi = ({ number }, endpoint) => `/api/door/tablets/${number}/${endpoint}`;

/** Change the list of tablets; a change that takes this browser's own role away leads back to the table. */
async function changeTablets(url, body = {}) {
  const answer = await order.change(orShowError(postJson(url, body)));
  if (answer) show(answer);
  const access = await refreshAccess();
  if (access && access.role !== 'keeper') location.assign('/');
}

function rename(tablet) {
  const field = /** @type {HTMLInputElement} */ (h('input', { class: 'name', id: 'new-name', value: tablet.name, maxlength: LONGEST_NAME, autocomplete: 'off', 'aria-label': say('Its name') }));
  const save = async () => {
    if (!field.value.trim()) return field.focus();
    closeDialog();
    return changeTablets(tabletApi(tablet, 'rename'), { name: field.value });
  };
  field.addEventListener('keydown', (event) => event.key === 'Enter' && save());
  openDialog(dialogTitle(say('What should it be called?')), field,
    h('div', { class: 'pair' }, closeButton(say('Leave it')), h('button', { type: 'button', class: 'main', id: 'save-name', onclick: save }, say('Save'))));
  field.select();
}

function changeRole(tablet, keeper) {
  confirmDialog(keeper ? say('Make {name} a keeper?', { name: tablet.name }) : say('Make {name} a player?', { name: tablet.name }),
    keeper ? say('A keeper may teach dice, look after the box, shut it down, and let tablets in or forget them.') : isLastKeepers(tablet) ? LAST_KEEPER : say('It then decides at the table, and no more.'),
    keeper ? say('Make keeper') : say('Make player'), () => changeTablets(tabletApi(tablet, 'entrust'), { keeper, confirm: isLastKeepers(tablet) }));
}

function forget(tablet) {
  const isLast = isLastKeepers(tablet);
  const watches = tablet.own ? say('It is this very one: you will only watch until you join in again.') : say('It only watches until it joins in again.');
  confirmDialog(say('Forget {name}?', { name: tablet.name }), isLast ? `${watches} ${LAST_KEEPER}` : watches, say('Forget'), () => changeTablets(tabletApi(tablet, 'forget'), { confirm: isLast }));
}

async function requestCode() {
  if (await orShowError(postJson('/api/door/ask'))) await refreshAccess();
}

async function allowCodes() {
  const answer = await order.change(orShowError(postJson('/api/door/allow')));
  if (answer) show(answer);
}

/* Settings */

function drawSettings(settings) {
  if (!settings.length) return [];
  return h('details', { class: 'settings' }, h('summary', {}, say('What was chosen')),
    h('dl', {}, settings.map(({ name, value, meaning }) => h('div', {}, h('dt', {}, name), h('dd', {}, h('strong', {}, value || '–'), h('span', {}, meaning))))));
}

/* Shutting down */

function drawShutdown(view) {
  if (view.isShuttingDown) return h('p', { class: 'none', id: 'shutting-down' }, say('The box is shutting down. Wait until its green light has stopped blinking, then pull the plug. The game is kept.'));
  if (!view.canShutDown) return [];
  return h('button', { type: 'button', class: 'grave', id: 'power-off', onclick: confirmShutdown }, say('Shut the box down'));
}

function confirmShutdown() {
  confirmDialog(say('Shut the box down?'), say('The game is kept and goes on when the box is started again.'), say('Shut down'), () =>
    confirmDialog(say('Really now?'), say('Nobody can watch or play until somebody plugs the box in again.'), say('Yes, shut it down'), shutDown));
}

async function shutDown() {
  if (!(await orShowError(postJson('/api/box/power-off', { sure: true })))) return;
  isShuttingDown = true;
  show(box);
}

async function refresh() {
  if (isShuttingDown) return;
  refreshHall();
  const answer = await order.look(orShowError(getJson('/api/box'), (error) => toastError(error, 'box')));
  if (answer) show(answer);
}

refresh();
setInterval(() => document.hidden || refresh(), POLL_MS);
