// The dialog for new dice: a name, and kinds with their faces, as they were typed.

import { postJson } from '../api.js';
import { closeDialog, dialogTitle, openDialog } from '../dialog.js';
import { byId, errorSentence, h, orShowError, toastError } from '../dom.js';
import { duplicate } from '../format.js';
import { say, sayCount } from '../say.js';

const USUAL_FACES = 6;

/** The most faces that a kind of die may have. */
const MOST_FACES = 20;

/**
 * @typedef {{title: string, count: string, faces: string[]}} KindDraft texts as typed
 * @typedef {{title: string, kinds: KindDraft[]}} DieSetDraft
 * @typedef {{title: string, kinds: {title: string, count: number, faces: string[]}[]}} DieSetRequest
 */

/** Return a new kind: six faces without names. @param {string} title @returns {KindDraft} */
export const newKind = (title) => ({ title, count: '1', faces: Array(USUAL_FACES).fill('') });

/** Return new dice without a name: one kind. @returns {DieSetDraft} */
export const newDraft = () => ({ title: '', kinds: [newKind(say('Die'))] });

/** Return the numbers from 1 as face names. @param {number} last @returns {string[]} */
export const numbersTo = (last) => Array.from({ length: last }, (_, place) => String(place + 1));

/** Return the draft as the API takes it. @param {DieSetDraft} draft @returns {DieSetRequest} */
export const requestOf = ({ title, kinds }) => ({
  title: title.trim(),
  kinds: kinds.map((kind) => ({ title: kind.title.trim(), count: Number(kind.count), faces: kind.faces.map((face) => face.trim()) })),
});

/** Return what is wrong with a request, '' for nothing. @param {DieSetRequest} request @returns {string} */
export function problemOf({ title, kinds }) {
  if (!title) return say('Give the dice a name.');
  if (kinds.some((kind) => !kind.title)) return say('Give every kind of die a name.');
  if (kinds.some(({ count }) => !Number.isInteger(count) || count < 1)) return say('How many dice there are of a kind is a whole number from 1.');
  const double = kinds.map(({ faces }) => duplicate(faces.map((face, place) => face || say('Face {number}', { number: place + 1 })))).find(Boolean);
  return double ? say('Two faces are called {face}; give each a name of its own.', { face: double }) : '';
}

const LONGEST_NAME = 24;
const FACE_COUNTS = [6, 8, 10, 12, MOST_FACES];

/** What was typed, kept when the dialog is closed; null before that. @type {DieSetDraft | null} */
let draft = null;

/** Open the dialog. @param {(dieSet: any) => void} onCreated @returns {void} */
export function openNewDieSet(onCreated) {
  draft ??= newDraft();
  draw(onCreated);
  byId('new-title').focus();
}

function draw(onCreated) {
  const update = (change) => {
    readFields();
    change();
    draw(onCreated);
  };
  openDialog(h('form', { class: 'new-dice', novalidate: true, onsubmit: (event) => create(event, onCreated) },
    dialogTitle(say('New dice')),
    h('label', {}, say('What are they called?'), field({ id: 'new-title', value: draft.title, placeholder: say('Moon dice') })),
    draft.kinds.map((kind, place) => drawKind(kind, place, update)),
    h('button', { type: 'button', class: 'quiet', id: 'add-kind', onclick: () => addKind(update) }, say('There is another kind of die')),
    h('p', { class: 'problem', id: 'new-problem', role: 'alert' }),
    h('div', { class: 'pair last' },
      h('button', { type: 'button', class: 'quiet', onclick: closeDialog }, say('Cancel')),
      h('button', { type: 'submit', class: 'main', id: 'make' }, say('Make them')))));
}

function field({ value, ...properties }) {
  const input = /** @type {HTMLInputElement} */ (h('input', { type: 'text', class: 'name', maxlength: LONGEST_NAME, autocomplete: 'off', spellcheck: 'false', enterkeyhint: 'next', ...properties }));
  input.value = value;
  return input;
}

function addKind(update) {
  update(() => draft.kinds.push(newKind(say('Die {number}', { number: draft.kinds.length + 1 }))));
  const titles = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('.kind-title'));
  titles[titles.length - 1].focus();
}

function drawKind(kind, place, update) {
  const count = kind.faces.length;
  return h('fieldset', { class: 'new-kind', 'data-kind': place },
    h('div', { class: 'two' },
      h('label', {}, draft.kinds.length > 1 ? say('Kind {number}', { number: place + 1 }) : say('The kind of die'), field({ class: 'name kind-title', value: kind.title })),
      h('label', { class: 'short' }, say('How many'), field({ class: 'name kind-count', value: kind.count, inputmode: 'numeric' }))),
    h('div', { class: 'face-counts' },
      h('button', { type: 'button', class: 'quiet fewer', 'aria-label': say('One face fewer'), disabled: count <= 1, onclick: () => update(() => kind.faces.pop()) }, '−'),
      h('span', { class: 'some' }, sayCount('{count} face', '{count} faces', count)),
      h('button', { type: 'button', class: 'quiet more', 'aria-label': say('One face more'), disabled: count >= MOST_FACES, onclick: () => update(() => kind.faces.push('')) }, '+')),
    h('div', { class: 'face-counts' }, FACE_COUNTS.map((last) =>
      h('button', { type: 'button', class: 'quiet', 'data-fill': last, onclick: () => update(() => (kind.faces = numbersTo(last))) }, say('1 to {last}', { last })))),
    h('div', { class: 'face-names' }, kind.faces.map((face, which) =>
      field({ class: 'name face-title', value: face, placeholder: say('Face {number}', { number: which + 1 }), 'aria-label': say('Face {number}', { number: which + 1 }) }))),
    draft.kinds.length > 1 && h('button', { type: 'button', class: 'quiet remove-kind', onclick: () => update(() => draft.kinds.splice(place, 1)) }, say('Remove this kind')),
    place === 0 && h('p', {}, say('Type what each face shows, or leave it: its photograph will tell them apart.')));
}

/** Copy what was typed into the draft. */
function readFields() {
  draft.title = byId('new-title').value;
  for (const [place, kind] of draft.kinds.entries()) {
    const fieldset = document.querySelector(`[data-kind="${place}"].new-kind`);
    const typed = (selector) => [...fieldset.querySelectorAll(selector)].map((input) => input.value);
    [kind.title] = typed('.kind-title');
    [kind.count] = typed('.kind-count');
    kind.faces = typed('.face-title');
  }
}

async function create(event, onCreated) {
  event.preventDefault();
  readFields();
  const request = requestOf(draft);
  const problem = problemOf(request);
  showProblem(problem);
  if (problem) return;
  const answer = await orShowError(postJson('/api/teaching/dice', request), (error) => {
    toastError(error);
    showProblem(errorSentence(error));
  });
  if (!answer) return;
  draft = null;
  closeDialog();
  onCreated(answer.dice);
}

const showProblem = (sentence) => (byId('new-problem').textContent = sentence);
