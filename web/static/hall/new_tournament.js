// The form of a new tournament: a kind, a game, players by tapping their names, and start.

import { getJson, postJson } from '../api.js';
import { byId, h, orShowError, toast } from '../dom.js';
import { locale, say } from '../say.js';

const MAKE_MS = 60000; // a draw for two hundred players takes seconds
const form = /** @type {HTMLFormElement} */ (byId('new'));

/** The names in the order in which they were tapped. @type {string[]} */
let chosen = [];

const value = (name) => String(new FormData(form).get(name) ?? '');

function showChosen() {
  byId('chosen').textContent = String(chosen.length);
  for (const chip of byId('players').querySelectorAll('button')) {
    const place = chosen.indexOf(chip.dataset.name);
    chip.setAttribute('aria-pressed', String(place >= 0));
    chip.querySelector('small').textContent = place >= 0 && value('in_order') ? String(place + 1) : '';
  }
}

function toggle(name) {
  chosen = chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name];
  showChosen();
}

const chip = (name) => h('li', {}, h('button', { type: 'button', 'data-name': name, 'aria-pressed': 'false', onclick: () => toggle(name) }, name, ' ', h('small', {})));

function addName() {
  const field = byId('new-name');
  const name = field.value.trim();
  if (!name) return;
  const known = [...byId('players').querySelectorAll('button')].find((each) => each.dataset.name.toLowerCase() === name.toLowerCase());
  if (!known) byId('players').prepend(chip(name));
  const own = known?.dataset.name ?? name;
  if (!chosen.includes(own)) toggle(own);
  field.value = '';
  field.focus();
}

/** Show what belongs to the kind and the game that are chosen. */
function showParts() {
  form.dataset.kind = value('kind');
  for (const part of form.querySelectorAll('[data-game]')) /** @type {HTMLElement} */ (part).hidden = /** @type {HTMLElement} */ (part).dataset.game !== value('game');
  showChosen();
}

function agreed(start) {
  const shown = form.querySelector(`[data-game="${CSS.escape(value('game'))}"]`);
  const options = Object.fromEntries([...(shown?.querySelectorAll('select') ?? [])].map((each) => [each.dataset.option, each.value]));
  return {
    name: value('name'), kind: value('kind'), game: value('game'), options, players: chosen, start,
    in_order: value('in_order') === 'yes', best_of: Number(value('best_of')), rounds: value('kind') === 'swiss' ? Number(value('rounds')) : 0,
    twice: ['round robin', 'league'].includes(value('kind')) && value('twice') === 'on', third_place: value('kind') === 'knock-out' && value('third_place') === 'on',
    first_day: value('kind') === 'league' ? value('first_day') : '', every_days: Number(value('every_days')),
  };
}

async function make(event) {
  event.preventDefault();
  const start = event.submitter?.value !== 'later';
  if (start && chosen.length < 2) return toast(say('Tap the players first: two or more.'));
  event.submitter.disabled = true;
  const made = await orShowError(postJson('/api/hall/tournaments', agreed(start), MAKE_MS));
  event.submitter.disabled = false;
  if (made) location.href = `/tournaments/${made.number}`;
}

async function begin() {
  form.addEventListener('change', showParts);
  form.addEventListener('submit', (event) => void make(event));
  byId('add').addEventListener('click', addName);
  byId('new-name').addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    addName();
  });
  const found = await orShowError(getJson('/api/hall/players?most=500'));
  byId('players').append(...(found?.players ?? []).map(({ name }) => chip(name)));
  const name = /** @type {HTMLInputElement} */ (form.elements.namedItem('name'));
  const today = /** @type {HTMLInputElement} */ (form.elements.namedItem('first_day')).value;
  name.value = name.value.replace(today, new Date(`${today}T12:00`).toLocaleDateString(locale));
  showParts();
}

void begin();
