// The page of a tournament: it follows the hall, and a keeper decides by tapping.

import { getJson, postJson } from '../api.js';
import { closeDialog, openDialog } from '../dialog.js';
import { byId, h, orShowError } from '../dom.js';
import { say } from '../say.js';
import { followTournament, main, refresh, tournamentApi } from './tournament_feed.js';

const DECIDE_MS = 60000; // a draw for two hundred players takes seconds

const api = tournamentApi();

/* Deciding */

const version = () => Number(main().dataset.version);

async function decide(what, body = {}) {
  const done = await orShowError(postJson(`${api}/${what}`, { version: version(), ...body }, DECIDE_MS));
  await refresh();
  return done;
}

const button = (words, what, body, kind = '') =>
  h('button', { type: 'button', class: kind, onclick: () => { closeDialog(); void decide(what, body); } }, words);

function confirmed(words, name, act) {
  openDialog(h('h2', { id: 'dialog-title' }, name), h('div', { class: 'pair' },
    h('button', { type: 'button', class: 'quiet', onclick: closeDialog }, say('No')),
    h('button', { type: 'button', class: 'main', onclick: () => { closeDialog(); act(); } }, words)));
}

async function openMatch(fixture) {
  const tournament = await orShowError(getJson(api));
  const match = tournament?.rounds.flatMap((round) => round.fixtures).find((each) => each.number === fixture);
  if (match) openDialog(...matchDeeds(tournament, match));
}

function matchDeeds(tournament, match) {
  const isOpen = match.state !== 'done' && match.state !== 'void';
  return [
    h('h2', { id: 'dialog-title' }, `${match.names[0]} – ${match.names[1]}`),
    isOpen && tables(tournament, match),
    h('section', { class: 'results' }, h('h3', {}, say('Result')), results(tournament, match)),
    isOpen && h('section', {}, h('h3', {}, say('Without play')), h('div', { class: 'choices' }, ...match.players.flatMap((player, place) => [
      match.late && button(say('{name} did not come', { name: match.names[place] }), 'walkover', { fixture: match.number, absent: [player] }),
      button(say('{name} gives up', { name: match.names[place] }), 'give-up', { fixture: match.number, player }),
    ]))),
    isOpen && tournament.kind === 'league' && otherDay(match),
    h('button', { type: 'button', class: 'quiet', onclick: closeDialog }, say('Close')),
  ];
}

function tables(tournament, match) {
  const free = tournament.tables.map((table) => button(table.name, 'call', { fixture: match.number, table: table.number }, table.is_free ? '' : 'quiet'));
  const isCalled = match.state === 'called';
  return h('section', {}, h('h3', {}, match.table_name ? say('Move to') : say('Call to')),
    h('div', { class: 'choices' }, ...free, isCalled && button(say('Take back the call'), 'take-back-call', { fixture: match.number }, 'grave')));
}

/** Buttons for every way in which a match can end, `2 : 1`; one that was played can be taken back. */
function results(tournament, match) {
  const most = (tournament.best_of + 1) / 2;
  const [first, second] = match.players;
  const ways = [];
  for (let lost = 0; lost < most; lost += 1) ways.push([most, lost]);
  for (let lost = most - 1; lost >= 0; lost -= 1) ways.push([lost, most]);
  const games = ([one, other]) => [...Array(Math.min(one, other)).fill([first, second]).flat(), ...Array(Math.abs(one - other)).fill(one > other ? first : second)].map((winner) => ({ winner }));
  const tie = tournament.best_of === 1 && tournament.kind !== 'knock-out' && button('½ : ½', 'result', { fixture: match.number, games: [{ winner: 0 }] });
  const buttons = ways.map((way) => button(`${way[0]} : ${way[1]}`, 'result', { fixture: match.number, games: games(way) }));
  buttons.splice(most, 0, tie || '');
  return h('div', { class: 'choices ways' }, h('span', {}, match.names[0]), ...buttons.filter(Boolean), h('span', {}, match.names[1]),
    match.games.length > 0 && button(say('Take back'), 'result', { fixture: match.number, games: [] }, 'grave'));
}

function otherDay(match) {
  const day = /** @type {HTMLInputElement} */ (h('input', { type: 'date', value: match.day, 'aria-label': say('Another day') }));
  return h('section', {}, h('h3', {}, say('Another day')), h('div', { class: 'choices' }, day,
    h('button', { type: 'button', onclick: () => { closeDialog(); void decide('postpone', { fixture: match.number, day: day.value }); } }, say('Move the match'))));
}

const players = async () => (await orShowError(getJson(api)))?.entrants.map((each) => each.name);

async function enter(change) {
  const now = await players();
  if (now) await decide('players', { players: change(now) });
}

async function post(chosen) {
  const { post: what = '', body = '{}', then } = chosen.dataset;
  chosen.disabled = true;
  const done = await decide(what, JSON.parse(body));
  if (done && then) location.href = then;
}

document.addEventListener('click', (event) => {
  const chosen = /** @type {HTMLButtonElement | null} */ (/** @type {Element} */ (event.target).closest('main button'));
  if (!chosen) return;
  const { fixture, post: what, confirm: name, takeOut } = chosen.dataset;
  if (fixture) void openMatch(Number(fixture));
  else if (takeOut) void enter((names) => names.filter((each) => each !== takeOut));
  else if (what && name) confirmed(chosen.textContent ?? '', name, () => post(chosen));
  else if (what) void post(chosen);
});

document.addEventListener('submit', (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!['add-player', 'add-late'].includes(form.id)) return;
  event.preventDefault();
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem('name'));
  const name = field.value.trim();
  field.value = '';
  if (form.id === 'add-late') return void decide('enter-late', { name, ties_missed: new FormData(form).has('ties_missed') });
  void enter((names) => [...names, name]).then(() => /** @type {HTMLElement | null} */ (main().querySelector('#add-player input'))?.focus());
});

async function suggest() {
  if (!byId('known')) return;
  const found = await getJson('/api/hall/players?most=500').catch(() => null);
  byId('known')?.replaceChildren(...(found?.players ?? []).map(({ name }) => h('option', { value: name })));
}

followTournament(() => void suggest());
