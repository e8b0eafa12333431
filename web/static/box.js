// The box: the tablets that have joined in, what was chosen, and switching it off. For the keeper.

import { read, tell } from './api.js';
import { look as lookAtDoor } from './access.js';
import { byId, h, redraw, toast } from './dom.js';
import { cancel, close, confirm, open, title } from './dialog.js';

const LOOK_MS = 5000;
const LONGEST_NAME = 24;

let now = null;
let going = false;

function show(box) {
  now = box;
  byId('box-page').classList.remove('waiting');
  redraw(byId('tablets'), box.tablets, drawTablets);
  redraw(byId('ways'), box.there, drawWays);
  redraw(byId('chosen'), box.chosen, drawChosen);
  redraw(byId('off'), { can: box.there.power_off, going }, drawOff);
}

function drawTablets(tablets) {
  return [
    h('div', { class: 'heading' }, h('h1', {}, 'Tablets'),
      h('button', { type: 'button', class: 'main', id: 'show-code', 'data-key': 'show-code', onclick: askCode }, 'Let one in')),
    tablets.length
      ? h('ul', { class: 'tablets' }, tablets.map(drawTablet))
      : h('p', { class: 'none' }, 'No tablet has joined in yet. The first that does is the keeper’s.'),
    h('p', { class: 'told' }, 'Anybody in your network may watch. A tablet that taps “Join in” and types the dice that the box shows may decide, too.'),
  ];
}

function drawTablet(tablet) {
  return h('li', { class: 'tablet', 'data-number': tablet.number },
    h('div', {},
      h('h2', {}, tablet.name, tablet.own && h('em', {}, 'this one')),
      h('p', { class: 'told' }, `${tablet.role === 'keeper' ? 'Keeper' : 'Player'} · joined in ${tablet.paired_on}, last here ${tablet.used_on}`)),
    h('div', { class: 'changes' },
      h('button', { type: 'button', class: 'quiet', 'data-key': `rename-${tablet.number}`, onclick: () => rename(tablet) }, 'Rename'),
      h('button', { type: 'button', class: 'quiet', 'data-key': `entrust-${tablet.number}`, onclick: () => entrust(tablet) }, tablet.role === 'keeper' ? 'Make player' : 'Make keeper'),
      h('button', { type: 'button', class: 'grave', 'data-key': `forget-${tablet.number}`, onclick: () => forget(tablet) }, 'Forget')));
}

const at = ({ number }, what) => `/api/door/tablets/${number}/${what}`;

/** A change of the list; one that takes this very browser's right away leads back to the table. */
async function change(address, body) {
  const box = await tell(address, body);
  if (box) show(box);
  const who = await lookAtDoor();
  if (who && who.role !== 'keeper') location.assign('/');
}

function rename(tablet) {
  const field = h('input', { class: 'name', id: 'new-name', value: tablet.name, maxlength: LONGEST_NAME, autocomplete: 'off', 'aria-label': 'Its name' });
  const save = async () => {
    if (!field.value.trim()) return field.focus();
    close();
    return change(at(tablet, 'rename'), { name: field.value });
  };
  field.addEventListener('keydown', (event) => event.key === 'Enter' && save());
  open(title('What shall it be called?'), field,
    h('div', { class: 'pair' }, cancel('Leave it'), h('button', { type: 'button', class: 'main', id: 'save-name', onclick: save }, 'Save')));
  field.select();
}

function entrust(tablet) {
  const keeper = tablet.role !== 'keeper';
  confirm(keeper ? `Make ${tablet.name} a keeper?` : `Make ${tablet.name} a player?`,
    keeper ? 'A keeper may teach dice, look after the box, shut it down, and let tablets in or forget them.' : 'It then decides at the table, and no more.',
    keeper ? 'Make keeper' : 'Make player', () => change(at(tablet, 'entrust'), { keeper }));
}

function forget(tablet) {
  confirm(`Forget ${tablet.name}?`, tablet.own ? 'It is this very one: you will only watch until you join in again.' : 'It only watches until it joins in again.', 'Forget', () => change(at(tablet, 'forget')));
}

async function askCode() {
  if (await tell('/api/door/ask')) await lookAtDoor();
}

function drawWays({ doctor, teaching }) {
  if (!doctor && !teaching) return [];
  return [
    h('h1', {}, 'The box'),
    h('div', { class: 'pair' },
      doctor && h('a', { class: 'button', href: '/doctor' }, 'Is all well? Camera, light, power'),
      teaching && h('a', { class: 'button', href: '/dice' }, 'Dice: teach and capture')),
  ];
}

function drawChosen(chosen) {
  if (!chosen.length) return [];
  return h('details', { class: 'chosen-settings' }, h('summary', {}, 'What was chosen'),
    h('dl', {}, chosen.map(({ name, value, meaning }) => h('div', {}, h('dt', {}, name), h('dd', {}, h('strong', {}, value || '–'), h('span', {}, meaning))))));
}

function drawOff({ can, going: leaving }) {
  if (leaving) return h('p', { class: 'none', id: 'going' }, 'The box is shutting down. Wait until its green light has stopped blinking, then pull the plug. The game is kept.');
  if (!can) return [];
  return h('button', { type: 'button', class: 'grave', id: 'power-off', onclick: powerOff }, 'Shut the box down');
}

function powerOff() {
  confirm('Shut the box down?', 'The game is kept and goes on when the box is started again.', 'Shut down', () =>
    confirm('Really now?', 'Nobody can watch or play until somebody plugs the box in again.', 'Yes, shut it down', async () => {
      if (!(await tell('/api/box/power-off', { sure: true }))) return;
      going = true;
      show(now);
    }));
}

async function look() {
  if (going) return;
  try {
    show(await read('/api/box'));
  } catch (error) {
    toast(error.sentence ?? 'The box did not answer. Try again in a moment.');
  }
}

look();
setInterval(() => document.hidden || look(), LOOK_MS);
