// Setting up a game: which game, who plays, and the house rules.

import { PLAIN_DICE, getJson, postJson } from './api.js';
import { byId, errorSentence, h, orShowError, toast, toastError } from './dom.js';
import { duplicate } from './format.js';
import { openHowToPlay } from './ruling.js';
import { say, sayCount } from './say.js';
import { WAITING_MS, confirmEnd, drawHallPlayers, drawOpenGames, fetchOpenGames, playOn, seatPlayer } from './setup_parts.js';
import { runningGame } from './table_view.js';
import { load, store } from './viewer.js';

/* The names: what is empty gets one, and what cannot be is said */

/**
 * @typedef {{title: string, seats: [number, number]}} Seating `seats` are the fewest and the most players of a game
 */

/** Return the name of a seat that nobody has named: "Player 1" for the place 0. */
const seatName = (place) => say('Player {place}', { place: place + 1 });

/** Return the names with the empty ones filled: "Player 2". @param {string[]} names @returns {string[]} */
export const filledNames = (names) => names.map((name, place) => name.trim() || seatName(place));

/** Return what is wrong with the names, '' for nothing. @param {string[]} names @param {Seating} game @returns {string} */
export function namesProblem(names, { title, seats: [fewest, most] }) {
  if (names.length < fewest) return sayCount('{title} needs at least {count} player.', '{title} needs at least {count} players.', fewest, { title });
  if (names.length > most) return sayCount('{title} takes at most {count} player.', '{title} takes at most {count} players.', most, { title });
  return duplicate(names) === undefined ? '' : say('Two players have the same name; give each a name of their own.');
}

/** Return the game as the chosen house rules have it: the option `players` lets more people play. @template {Seating} G @param {G} game @param {string | undefined} chosen its reading, such as up-to-12 @returns {G} */
export function seatedBy(game, chosen) {
  const most = Number(/^up-to-(\d+)$/.exec(chosen ?? '')?.[1] ?? game.seats[1]);
  return { ...game, seats: [game.seats[0], most] };
}

/** Return how many may play: "4", "2 to 8". @param {Seating} game @returns {string} */
export const seatRange = ({ seats: [fewest, most] }) => (fewest === most ? `${most}` : say('{fewest} to {most}', { fewest, most }));

/** Return the names to begin with: as `initialNames` has them, and where this browser keeps none, those of the players who may play again. @param {string | null} stored JSON @param {{name: string}[]} players @param {Seating} game @returns {string[]} */
export const namesToBegin = (stored, players, game) => initialNames(stored ?? JSON.stringify(players.map(({ name }) => name)), game);

/** Return the names to begin with: the stored ones, but for those that only fill an empty seat; else two empty seats where the game allows them. @param {string | null} stored JSON @param {Seating} game @returns {string[]} */
export function initialNames(stored, { seats: [fewest, most] }) {
  try {
    const names = JSON.parse(stored ?? '');
    if (Array.isArray(names) && names.length) return names.map((name, place) => (name === seatName(place) ? '' : String(name))).slice(0, most);
  } catch {
    // nothing stored, or not by us
  }
  return Array(Math.min(most, Math.max(2, fewest))).fill('');
}

/* The dialog */

const NAMES_KEY = 'vander.players';
const LONGEST_NAME = 24;
/** The dice that plain dice begin with: of all sets, those that most people have. */
const ORDINARY = 'd6';

const dialog = byId('setup');
let games = [];
let dieSets = [];
let game = null;
let dieSet = '';
/** The readings that were chosen on the sheet, by option. @type {Record<string, string>} */
let chosen = {};
/** True from the tap on Start until the table answers: the game that begins meanwhile is this one. */
let isStarting = false;
/** The running game that the new one would end, as the page showed it when the dialog opened. */
let running = null;
/** The games that stand open, without the running one. */
let openGames = [];
/** Whether the running game ends with the start of another one; by itself it is left open. */
let endsRunning = false;
/** Counts the taps that open the dialog: what a later one has overtaken would empty the names typed meanwhile. */
let opens = 0;
/** The table's hall, null where there is none. */
let link = null;
let following;

dialog?.addEventListener('click', (event) => event.target === dialog && dialog.close());

/** Open the dialog. @param {any} snapshot what the page shows @param {(snapshot: any) => void} onStarted @param {any} call the hall's game to be filled in, null for none @returns {Promise<void>} */
export async function openSetup(snapshot, onStarted, call = null) {
  const opened = (opens += 1);
  const answer = await orShowError(getJson('/api/games'), () => toast(say('The table did not answer. Try again in a moment.')));
  if (!answer || opened !== opens) return;
  ({ games, die_sets: dieSets } = answer);
  games.sort((one, other) => Number(!one.die_set) - Number(!other.die_set)); // plain dice come last
  const wanted = call?.game ?? game?.name ?? snapshot.game?.name;
  game = games.find(({ name }) => name === wanted) ?? games.find((one) => one.die_set === dieSets[0]?.name) ?? games[0];
  running = runningGame(snapshot);
  let failure = null;
  const standing = await fetchOpenGames((error) => (failure = error));
  const joined = document.body.dataset.hall ? await getJson('/api/hall-link').catch(() => null) : null;
  if (opened !== opens) return;
  openGames = standing;
  link = joined;
  endsRunning = snapshot.game?.name === PLAIN_DICE; // nobody goes back to dice that are only counted
  chosen = call ? { ...call.options } : {};
  dialog.replaceChildren();
  draw(onStarted, call ? [...call.players] : namesToBegin(load('localStorage', NAMES_KEY), endedPlayers(snapshot), game));
  followWaiting(onStarted);
  if (!dialog.open) dialog.showModal();
  if (failure) toastError(failure); // not before: an open dialog would cover it
  foldOpenGames();
}

/** Return the players of a game that is over, who may play again. */
const endedPlayers = ({ state }) => (state && !state.to_act.length ? state.players : []);

/** Ask who waits while the dialog is open, and draw who came or left. */
function followWaiting(onStarted) {
  clearInterval(following);
  if (!link?.joined) return;
  following = setInterval(async () => {
    if (!dialog.open) return clearInterval(following);
    const answer = await getJson('/api/hall-link').catch(() => null);
    if (!answer || !dialog.open || isStarting || String(answer.players) === String(link.players)) return;
    link = answer;
    draw(onStarted, typedNames());
  }, WAITING_MS);
}

/** Fold the games that stand open where the new game would have no room beside them. */
function foldOpenGames() {
  const [parts, folder] = [dialog.querySelector('.setup-parts'), /** @type {HTMLDetailsElement | null} */ (dialog.querySelector('.standing-open'))];
  if (folder && parts && parts.scrollHeight > parts.clientHeight + 1) folder.open = false;
}

/** Close the dialog if another game has begun since it opened. @param {any} snapshot @returns {void} */
export function closeStaleSetup(snapshot) {
  const current = runningGame(snapshot);
  if (isStarting || !dialog.open || !current.title || current.number === running?.number) return;
  dialog.close();
  toast(say('Another game has begun meanwhile: look first.'));
}

function draw(onStarted, names) {
  const update = (changed) => draw(onStarted, changed);
  const [focused, scrolled] = [keyOf(document.activeElement), dialog.querySelector('.setup-parts')?.scrollTop ?? 0];
  const form = h('form', { class: 'inside', onsubmit: (event) => start(event, onStarted) },
    h('h2', { id: 'setup-title' }, say('New game')),
    running.title && drawRunning(),
    h('div', { class: 'setup-parts' }, drawOpen(onStarted, update), drawGames(update), drawTable(names, update)),
    h('p', { class: 'problem', id: 'setup-problem', role: 'alert' }),
    h('div', { class: 'pair' },
      h('button', { type: 'button', class: 'quiet', onclick: () => dialog.close() }, say('Cancel')),
      h('button', { type: 'submit', class: 'main', id: 'start' }, say('Start'))));
  dialog.replaceChildren(form);
  form.querySelector('.setup-parts').scrollTop = scrolled;
  [...form.querySelectorAll('input, select, button')].find((one) => focused && keyOf(one) === focused)?.focus({ preventScroll: true });
}

/** List the games that stand open, under a heading that folds them. */
function drawOpen(onStarted, update) {
  if (!openGames.length) return [];
  const act = { playOn: (number) => goBack(number, onStarted), end: (one) => confirmEnd(one, (left) => showOpen(left, update)) };
  const before = /** @type {HTMLDetailsElement | null} */ (dialog.querySelector('.standing-open'));
  return h('details', { class: 'standing-open', open: before?.open ?? true },
    h('summary', {}, sayCount('{count} game stands open', '{count} games stand open', openGames.length)), drawOpenGames(openGames, act));
}

/** Ask what becomes of the game that is under way. */
function drawRunning() {
  const choice = (ends, title) => h('label', { class: 'reading' }, h('input', { type: 'radio', name: 'running', value: ends ? 'end' : 'leave', checked: endsRunning === ends, onchange: () => (endsRunning = ends) }), h('span', {}, title));
  return h('fieldset', { class: 'warn running' }, h('legend', {}, say('A game is under way: {title}', { title: running.title })), choice(false, say('Leave it open')), choice(true, say('End it')));
}

/** Go back to an open game; the running one stays open. */
async function goBack(number, onStarted) {
  isStarting = true;
  const snapshot = await playOn(number, running.step);
  if (snapshot) showStarted(snapshot, onStarted);
  isStarting = false;
}

/** Show the game that was begun here: the table has not turned to it by itself. */
function showStarted(snapshot, onStarted) {
  dialog.close();
  onStarted(snapshot);
}

function showOpen(left, update) {
  openGames = left;
  update(typedNames());
}

/** Return true while this page starts a game, or goes back to one. @returns {boolean} */
export const startsHere = () => isStarting;

/** Return what tells an element of the form apart from the others, so that it has the focus after the form was drawn again. */
const keyOf = (element) => (dialog.contains(element) ? element.id || element.getAttribute('aria-label') || `${element.name}=${element.value}` : '');

const drawGames = (update) => h('fieldset', { class: 'games' }, h('legend', {}, say('Game')), games.map((one) => gameChoice(one, () => {
  game = one;
  chosen = {};
  update(typedNames());
})));

/** Draw who plays, who begins, and by which rules. */
function drawTable(names, update) {
  return h('div', { class: 'setup-table' },
    h('fieldset', { class: 'names', oninput: nameStarters }, h('legend', {}, say('Who plays ({seated})', { seated: seatRange(seated()) })),
      ...names.map((name, place) => nameRow(name, place, names.length, update)),
      link && drawHallPlayers(link, names, (player) => update(seatPlayer(typedNames(), player, seated().seats[1])), (player) => removeWaiting(player, update), Boolean(dialog.querySelector('.hall-scan[open]'))),
      names.length < seated().seats[1] && h('button', { type: 'button', class: 'quiet', id: 'add-player', onclick: () => addPlayer(update) }, say('Add a player'))),
    game.turns && names.length > 1 && h('label', { class: 'starter' }, h('span', {}, say('Who begins')), starterChoice(names)),
    !game.die_set && h('label', { class: 'dice-choice' }, h('span', {}, say('Which dice')), dieSetChoice()),
    game.options.length > 0 && h('details', { class: 'house', open: Boolean(dialog.querySelector('.house[open]')) }, h('summary', {}, say('House rules')), game.options.map((option) => optionChoice(option, update))));
}

/** Take somebody off the list of those who wait: they went home, or their phone did. */
async function removeWaiting(player, update) {
  const answer = await orShowError(postJson('/api/hall-link/waiting/remove', { name: player }), toastError);
  if (!answer || !dialog.open) return;
  link = answer;
  update(typedNames());
}

function gameChoice(one, choose) {
  const radio = h('input', { type: 'radio', name: 'game', value: one.name, checked: one.name === game.name, autofocus: one.name === game.name, onchange: choose });
  const label = h('label', { class: 'choice' }, radio, h('span', {}, one.title));
  if (!one.how_to_play) return label;
  return h('div', { class: 'told-choice' }, label, h('button', { type: 'button', class: 'quiet tell', 'aria-label': say('How to play {game}', { game: one.title }), title: say('How to play'), onclick: () => openHowToPlay(one.name) }, '?'));
}

function dieSetChoice() {
  const chosen = [dieSet, ORDINARY].find((wanted) => dieSets.some(({ name }) => name === wanted)) ?? dieSets[0]?.name;
  return h('select', { id: 'which-dice', 'aria-label': say('Which dice'), onchange: (event) => (dieSet = event.target.value) },
    dieSets.map(({ name, title }) => h('option', { value: name, selected: name === chosen }, title)));
}

/** The game with as many seats as the house rules on the sheet allow. */
const seated = () => seatedBy(game, chosen.players);

/** The rows of names, and first the game's own way; a row's number is its value. */
function starterChoice(names) {
  const before = chosenStarter();
  return h('select', { id: 'who-begins', 'aria-label': say('Who begins') },
    h('option', { value: '0' }, say('As the game says')),
    names.map((name, place) => h('option', { value: String(place + 1), selected: place + 1 === before }, name || seatName(place))));
}

/** Let the choice of who begins show the names as they are typed now. */
function nameStarters() {
  const starters = /** @type {HTMLSelectElement | null} */ (dialog.querySelector('#who-begins'));
  typedNames().forEach((name, place) => starters && (starters.options[place + 1].textContent = name.trim() || seatName(place)));
}

/** Return the seat that was chosen to begin, 0 for none. */
const chosenStarter = () => Number(dialog.querySelector('#who-begins')?.value ?? 0);

function nameRow(name, place, count, update) {
  const remove = () => update(typedNames().filter((_, other) => other !== place));
  const input = /** @type {HTMLInputElement} */ (h('input', { type: 'text', class: 'name', maxlength: LONGEST_NAME, autocomplete: 'off', autocapitalize: 'words', spellcheck: 'false', enterkeyhint: 'next', 'aria-label': seatName(place), placeholder: seatName(place) }));
  input.value = name;
  return h('div', { class: 'name-row' }, h('span', { class: 'seat', 'aria-hidden': 'true' }, String(place + 1)), input,
    h('button', { type: 'button', class: 'quiet remove', 'aria-label': say('Remove player {place}', { place: place + 1 }), disabled: count <= 1, onclick: remove }, '×'));
}

function addPlayer(update) {
  update([...typedNames(), '']);
  [...dialog.querySelectorAll('input.name')].at(-1).focus();
}

const typedNames = () => [...dialog.querySelectorAll('input.name')].map((input) => input.value);

function optionChoice(option, update) {
  const choose = (value) => {
    chosen[option.name] = value;
    if (option.name === 'players') update(typedNames());
  };
  const radios = option.readings.map(({ value, meaning }) =>
    h('label', { class: 'reading' },
      h('input', { type: 'radio', name: `option-${option.name}`, value, checked: value === (chosen[option.name] ?? option.default), onchange: () => choose(value) }),
      h('span', {}, meaning, value === option.default && [' ', h('em', {}, say('(usual)'))])));
  return h('fieldset', { class: 'option', 'data-option': option.name }, h('legend', {}, option.title, ' ', h('span', { class: 'rule' }, option.source)), radios);
}

function chosenOptions() {
  const chosen = game.options.map(({ name }) => [name, dialog.querySelector(`[name="option-${CSS.escape(name)}"]:checked`)?.value]);
  return Object.fromEntries(chosen.filter(([, value]) => value));
}

async function start(event, onStarted) {
  event.preventDefault();
  const players = filledNames(typedNames());
  const problem = namesProblem(players, seated());
  showProblem(problem);
  if (problem) return;
  const body = { game: game.name, players, options: chosenOptions(), step: running.step, starter: chosenStarter(), leave_open: Boolean(running.title) && !endsRunning, ...(game.die_set ? {} : { die_set: byId('which-dice').value }) };
  isStarting = true;
  const snapshot = await orShowError(postJson('/api/game', body), (error) => {
    toastError(error);
    showProblem(errorSentence(error));
  });
  if (snapshot) {
    store('localStorage', NAMES_KEY, JSON.stringify(typedNames()));
    showStarted(snapshot, onStarted);
  }
  isStarting = false;
}

const showProblem = (sentence) => (byId('setup-problem').textContent = sentence);
