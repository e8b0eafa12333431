// DOM elements made from values, of which no text ever becomes markup; the toast, by which a page says one sentence; and what
// becomes of a tap while the page changes.

import { say } from './say.js';

const SVG = 'http://www.w3.org/2000/svg';
/** How long a browser may take to begin to save a file. */
const KEPT_MS = 60_000;

/** Create an HTML element: h('button', {class: 'main', onclick: f}, 'Throw'). Absent children (null, false, '') are left out. @param {string} tag @param {Record<string, any>} properties @param {...any} children @returns {HTMLElement} */
export function h(tag, properties = {}, ...children) {
  return assemble(document.createElement(tag), properties, children);
}

/** Create an SVG element. @param {string} tag @param {Record<string, any>} properties @param {...any} children @returns {SVGElement} */
export function svg(tag, properties = {}, ...children) {
  return assemble(document.createElementNS(SVG, tag), properties, children);
}

function assemble(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== false && child !== undefined && child !== ''));
  return element;
}

/** Return the element with this id, null for none and without a page, as where node runs the tests. @param {string} id @returns {any} */
export const byId = (id) => globalThis.document?.getElementById(id) ?? null;

const drawnValues = new WeakMap();

/** Draw a section if its value has changed since it was drawn last; the focus stays on the element with the same data-key. @param {HTMLElement} section @param {any} value @param {(value: any) => any} draw @returns {void} */
export function redraw(section, value, draw) {
  const text = JSON.stringify(value);
  if (drawnValues.get(section) === text) return;
  drawnValues.set(section, text);
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const key = section.contains(focused) ? focused?.dataset.key : undefined;
  section.replaceChildren(...[draw(value)].flat(Infinity).filter(Boolean));
  if (key) /** @type {HTMLElement | null} */ (section.querySelector(`[data-key="${CSS.escape(key)}"]`))?.focus();
}


/** Let people keep a file. @param {Blob} file @param {string} name @returns {void} */
export function saveFile(file, name) {
  const url = URL.createObjectURL(file);
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

/** Mark the text of a field and copy it; false where the browser does not. Browsers give `navigator.clipboard` to https alone. @param {HTMLInputElement} field @returns {boolean} */
export function copyField(field) {
  field.select();
  return document.execCommand('copy');
}

/* The toast: one sentence at the foot of the page for a few seconds. Also how a failed request is shown */

const SHOWN_MS = 7000;
const SERVERS = { table: say('The table did not answer. Try again in a moment.'), box: say('The box did not answer. Try again in a moment.') };

const toastElement = byId('toast');
let timer;

/** Show a sentence at the foot of the page, above an open dialog too. @param {string} sentence @returns {void} */
export function toast(sentence) {
  (document.querySelector('dialog[open]') ?? document.body).append(toastElement);
  toastElement.replaceChildren(h('p', {}, sentence));
  toastElement.classList.add('up');
  clearTimeout(timer);
  timer = setTimeout(() => toastElement.classList.remove('up'), SHOWN_MS);
}

/** Return the sentence of a failed request. @param {Error} error @param {'table' | 'box'} server @returns {string} */
export const errorSentence = (error, server = 'table') => error.message || SERVERS[server];

/** Show a failed request as a toast. @param {any} error an ApiError @param {'table' | 'box'} server @returns {void} */
export const toastError = (error, server = 'table') => toast(errorSentence(error, server));

/** Resolve to what was requested, or to null after a failure, which `show` shows: a toast by default. @template T @param {Promise<T>} request @param {(error: any) => void} show @returns {Promise<T | null>} */
export async function orShowError(request, show = toastError) {
  try {
    return await request;
  } catch (error) {
    show(error);
    return null;
  }
}

/* A tap does what its button said when the finger came down. The page may change before the finger leaves: the browser then
   clicks whatever lies there, or nothing at all */

/** A finger that moved further did not tap. */
const SLIP_PX = 10;
/** A click that comes so long after the finger has left is another one, as a screen reader makes it. */
const LATE_MS = 700;

/** The button under the finger, what it said, and where; `at` is when the finger left, and `isDone` where the tap was answered here. */
let press = null;

const controlAt = (element) => element?.closest('button, a') ?? null;
const wordsOf = (control) => `${control.textContent} ${control.ariaLabel ?? ''} ${control.dataset.action ?? ''}`;
const isAsPressed = (control) => Boolean(control) && !control.disabled && wordsOf(control) === press.words;

function onPress({ target, clientX: x, clientY: y }) {
  const control = controlAt(target);
  press = control && !control.disabled ? { words: wordsOf(control), control, x, y, at: Infinity, isDone: false } : null;
}

function onRelease({ clientX: x, clientY: y }) {
  if (!press) return;
  press.at = performance.now();
  if (Math.hypot(x - press.x, y - press.y) > SLIP_PX) press = null;
  else if (controlAt(document.elementFromPoint(x, y)) !== press.control || !isAsPressed(press.control)) answer();
}

/** Tap the same button where it was drawn again, else say that there is another one now. */
function answer() {
  press.isDone = true;
  const control = controlAt(document.elementFromPoint(press.x, press.y));
  if (isAsPressed(control)) control.click();
  else toast(say('This has just changed. Look again, then tap.'));
}

function onClick(event) {
  if (!press || !event.detail || performance.now() - press.at > LATE_MS) return; // a key or a script clicks
  if (!press.isDone && isAsPressed(controlAt(event.target))) return;
  event.stopImmediatePropagation();
  event.preventDefault();
  if (!press.isDone) answer();
}

globalThis.document?.addEventListener('pointerdown', onPress, true);
globalThis.document?.addEventListener('pointerup', onRelease, true);
globalThis.document?.addEventListener('pointercancel', () => (press = null), true);
globalThis.document?.addEventListener('click', onClick, true);
