// New dice: a name, and kinds with their faces.

import { tell } from '../api.js';
import { byId, h } from '../dom.js';
import { close, open, title } from '../dialog.js';

const LONGEST_NAME = 24;
const USUAL_FACES = 6;
const USUAL_EDGE_MM = 16;
const FILLS = [6, 8, 10, 12, 20];

let draft = null;

const newKind = (words) => ({ title: words, count: 1, faces: Array(USUAL_FACES).fill('') });

/** Bring the sheet up; `made(dice)` is told the new die set. */
export function openNew(made) {
  draft ??= { title: '', edge: String(USUAL_EDGE_MM), kinds: [newKind('Die')] };
  draw(made);
  byId('new-title').focus();
}

function draw(made) {
  const again = (act) => {
    typed();
    act();
    draw(made);
  };
  open(h('form', { class: 'new-dice', novalidate: true, onsubmit: (event) => make(event, made) },
    title('New dice'),
    h('div', { class: 'two' },
      h('label', {}, 'What are they called?', field({ id: 'new-title', value: draft.title, placeholder: 'Moon dice' })),
      h('label', { class: 'short' }, 'Edge in mm', field({ id: 'new-edge', value: draft.edge, inputmode: 'decimal' }))),
    draft.kinds.map((kind, place) => drawKind(kind, place, again)),
    h('button', { type: 'button', class: 'quiet', id: 'add-kind', onclick: () => addKind(again) }, 'There is another kind of die'),
    h('p', { class: 'problem', id: 'new-problem', role: 'alert' }),
    h('div', { class: 'pair last' },
      h('button', { type: 'button', class: 'quiet', onclick: close }, 'Cancel'),
      h('button', { type: 'submit', class: 'main', id: 'make' }, 'Make them'))));
}

function field({ value, ...properties }) {
  const input = h('input', { type: 'text', class: 'name', maxlength: LONGEST_NAME, autocomplete: 'off', spellcheck: 'false', enterkeyhint: 'next', ...properties });
  input.value = value;
  return input;
}

function addKind(again) {
  again(() => draft.kinds.push(newKind(`Die ${draft.kinds.length + 1}`)));
  [...document.querySelectorAll('.kind-title')].at(-1).focus();
}

function drawKind(kind, place, again) {
  const count = kind.faces.length;
  return h('fieldset', { class: 'new-kind', 'data-kind': place },
    h('div', { class: 'two' },
      h('label', {}, draft.kinds.length > 1 ? `Kind ${place + 1}` : 'The kind of die', field({ class: 'name kind-title', value: kind.title })),
      h('label', { class: 'short' }, 'How many', field({ class: 'name kind-count', value: String(kind.count), inputmode: 'numeric' }))),
    h('div', { class: 'fills' },
      h('button', { type: 'button', class: 'quiet fewer', 'aria-label': 'One face fewer', disabled: count <= 1, onclick: () => again(() => kind.faces.pop()) }, '−'),
      h('span', { class: 'some' }, count === 1 ? '1 face' : `${count} faces`),
      h('button', { type: 'button', class: 'quiet more', 'aria-label': 'One face more', disabled: count >= Math.max(...FILLS), onclick: () => again(() => kind.faces.push('')) }, '+')),
    h('div', { class: 'fills' }, FILLS.map((last) =>
      h('button', { type: 'button', class: 'quiet', 'data-fill': last, onclick: () => again(() => (kind.faces = numbersTo(last))) }, `1 to ${last}`))),
    h('div', { class: 'face-names' }, kind.faces.map((face, which) =>
      field({ class: 'name face-title', value: face, placeholder: `Face ${which + 1}`, 'aria-label': `Face ${which + 1}` }))),
    draft.kinds.length > 1 && h('button', { type: 'button', class: 'quiet drop-kind', onclick: () => again(() => draft.kinds.splice(place, 1)) }, 'Remove this kind'),
    place === 0 && h('p', {}, 'Type what each face shows, or leave it: its photograph will tell them apart.'));
}

const numbersTo = (last) => Array.from({ length: last }, (_, place) => String(place + 1));

/** Take what was typed into the draft. */
function typed() {
  draft.title = byId('new-title').value;
  draft.edge = byId('new-edge').value;
  for (const [place, kind] of draft.kinds.entries()) {
    const box = document.querySelector(`[data-kind="${place}"].new-kind`);
    kind.title = box.querySelector('.kind-title').value;
    kind.count = box.querySelector('.kind-count').value;
    kind.faces = [...box.querySelectorAll('.face-title')].map((input) => input.value);
  }
}

async function make(event, made) {
  event.preventDefault();
  typed();
  const asked = {
    title: draft.title.trim(),
    edge_mm: Number(draft.edge.replace(',', '.')),
    kinds: draft.kinds.map(({ title: words, count, faces }) => ({ title: words.trim(), count: Number(count), faces: faces.map((face) => face.trim()) })),
  };
  const problem = trouble(asked);
  byId('new-problem').textContent = problem;
  if (problem) return;
  const answer = await tell('/api/teaching/dice', asked);
  if (!answer) {
    byId('new-problem').textContent = byId('toast').textContent;
    return;
  }
  draft = null;
  close();
  made(answer.dice);
}

function trouble({ title: words, edge_mm: edge, kinds }) {
  if (!words) return 'Give the dice a name.';
  if (!(edge > 0)) return 'The edge of a die is a number of millimetres; most dice have 16.';
  if (kinds.some((kind) => !kind.title)) return 'Give every kind of die a name.';
  if (kinds.some(({ count }) => !Number.isInteger(count) || count < 1)) return 'How many dice there are of a kind is a whole number from 1.';
  const double = kinds.map(({ faces }) => twice(faces)).find(Boolean);
  return double ? `Two faces are called ${double}; give each a name of its own.` : '';
}

function twice(faces) {
  const names = faces.map((face, place) => face || `Face ${place + 1}`);
  return names.find((name, place) => names.some((other, before) => before < place && other.toLowerCase() === name.toLowerCase()));
}
