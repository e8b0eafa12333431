// Setting up a game: which game, who plays, and the house rules.

import { read, tell } from './api.js';
import { byId, h, toast } from './dom.js';

const KEPT = 'vander.players';
const dialog = byId('setup');
let games = [];
let dieSets = [];
let game = null;
let dice = '';
let under = null; // the game that goes on as far as this sheet knows

dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());

/** Bring up the set-up; `last` names the game on the table; `on` is the game that the new one would end, as `goesOn` has it. */
export async function openSetup(last, on, answered) {
  try {
    ({ games, die_sets: dieSets } = await read('/api/games'));
  } catch {
    toast('The table did not answer. Try again in a moment.');
    return;
  }
  games.sort((one, other) => !one.die_set - !other.die_set); // plain dice come last
  game = games.find(({ name }) => name === (game?.name ?? last)) ?? games.find((one) => one.die_set === dieSets[0]?.name) ?? games[0];
  under = on;
  draw(answered, keptNames());
  if (!dialog.open) dialog.showModal();
}

/** The game that goes on in a snapshot: its title, the step it is at, and its number, '0' and no title for none. */
export function goesOn({ game, state, extras }) {
  const step = state?.to_act.length ? extras.step ?? '' : '0.0';
  return { title: state?.to_act.length ? game.title : '', step, number: step.split('.')[0] };
}

/** Another game has begun: the set-up that knows nothing of it goes. */
export function forgetSetup(snapshot) {
  const on = goesOn(snapshot);
  if (!dialog.open || !on.title || on.number === under?.number) return;
  dialog.close();
  toast('Another game has begun meanwhile: look first.');
}

function draw(answered, names) {
  const redraw = (next) => draw(answered, next);
  const form = h('form', { class: 'inside', onsubmit: (event) => start(event, answered) },
    h('h2', { id: 'setup-title' }, 'New game'),
    under.title && h('p', { class: 'warn' }, `A game is under way: ${under.title}. Starting another one ends it.`),
    h('fieldset', { class: 'games' }, h('legend', {}, 'Game'), games.map((one) => gameChoice(one, () => {
      game = one;
      redraw(typed());
    }))),
    h('fieldset', { class: 'names' }, h('legend', {}, `Who plays (${seats()})`),
      ...names.map((name, place) => nameRow(name, place, names.length, redraw)),
      names.length < most() && h('button', { type: 'button', class: 'quiet', id: 'add-player', onclick: () => add(redraw) }, 'Add a player')),
    !game.die_set && h('fieldset', { class: 'dice-choice' }, h('legend', {}, 'Which dice'), diceChoice()),
    game.options.length > 0 && h('details', { class: 'house' }, h('summary', {}, 'House rules'), game.options.map(optionRow)),
    h('p', { class: 'problem', id: 'setup-problem', role: 'alert' }),
    h('div', { class: 'pair' },
      h('button', { type: 'button', class: 'quiet', onclick: () => dialog.close() }, 'Cancel'),
      h('button', { type: 'submit', class: 'main', id: 'start' }, 'Start')));
  dialog.replaceChildren(form);
}

const most = () => game.seats[1];
const seats = () => (game.seats[0] === most() ? `${most()}` : `${game.seats[0]} to ${most()}`);

function gameChoice(one, choose) {
  const radio = h('input', { type: 'radio', name: 'game', value: one.name, checked: one.name === game.name, onchange: choose });
  return h('label', { class: 'choice' }, radio, h('span', {}, one.title));
}

function diceChoice() {
  const known = dieSets.some(({ name }) => name === dice) ? dice : dieSets[0]?.name;
  return h('select', { id: 'which-dice', 'aria-label': 'Which dice', onchange: (event) => (dice = event.target.value) },
    dieSets.map(({ name, title }) => h('option', { value: name, selected: name === known }, title)));
}

function nameRow(name, place, count, redraw) {
  const drop = () => redraw(typed().filter((_, other) => other !== place));
  const input = h('input', { type: 'text', class: 'name', maxlength: 24, autocomplete: 'off', autocapitalize: 'words', spellcheck: 'false', enterkeyhint: 'next', 'aria-label': `Player ${place + 1}`, placeholder: `Player ${place + 1}` });
  input.value = name;
  return h('div', { class: 'name-row' }, h('span', { class: 'seat', 'aria-hidden': 'true' }, String(place + 1)), input,
    h('button', { type: 'button', class: 'quiet drop', 'aria-label': `Remove player ${place + 1}`, disabled: count <= 1, onclick: drop }, '×'));
}

function add(redraw) {
  redraw([...typed(), '']);
  [...dialog.querySelectorAll('input.name')].at(-1).focus();
}

const typed = () => [...dialog.querySelectorAll('input.name')].map((input) => input.value);

function optionRow(option) {
  const radios = option.readings.map(({ value, meaning }) =>
    h('label', { class: 'reading' },
      h('input', { type: 'radio', name: `option-${option.name}`, value, checked: value === option.default }),
      h('span', {}, meaning, value === option.default && h('em', {}, ' (usual)'))));
  return h('fieldset', { class: 'option', 'data-option': option.name }, h('legend', {}, option.title, ' ', h('span', { class: 'rule' }, option.source)), radios);
}

function chosen() {
  const picked = game.options.map((option) => [option.name, dialog.querySelector(`[name="option-${CSS.escape(option.name)}"]:checked`)?.value]);
  return Object.fromEntries(picked.filter(([, value]) => value));
}

async function start(event, answered) {
  event.preventDefault();
  const players = typed().map((name, place) => name.trim() || `Player ${place + 1}`);
  const problem = trouble(players);
  byId('setup-problem').textContent = problem;
  if (problem) return;
  const snapshot = await tell('/api/game', { game: game.name, players, options: chosen(), step: under.step, ...(game.die_set ? {} : { die_set: byId('which-dice').value }) });
  if (!snapshot) {
    byId('setup-problem').textContent = byId('toast').textContent;
    return;
  }
  keepNames(players);
  dialog.close();
  answered(snapshot);
}

function trouble(players) {
  if (players.length < game.seats[0]) return `${game.title} needs at least ${game.seats[0]} players.`;
  if (players.length > most()) return `${game.title} takes at most ${most()} players.`;
  if (new Set(players.map((name) => name.toLowerCase())).size < players.length) return 'Two players have the same name; give each a name of their own.';
  return '';
}

function keptNames() {
  try {
    const names = JSON.parse(localStorage.getItem(KEPT));
    if (Array.isArray(names) && names.length) return names.map(String).slice(0, most());
  } catch {
    // a browser that keeps nothing starts with empty seats
  }
  return Array(Math.min(most(), Math.max(2, game.seats[0]))).fill('');
}

function keepNames(players) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(players));
  } catch {
    // a browser that keeps nothing asks again next time
  }
}
