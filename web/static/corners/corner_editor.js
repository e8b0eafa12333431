// The corners of a tray without markers: a still, a handle at each corner, a magnifier beside the finger, and the tray's size. Places
// are fractions of the still.

import { ApiError, getJson, postJson } from '../api.js';
import { errorSentence, h, svg } from '../dom.js';
import { say } from '../say.js';

/** @typedef {[number, number]} Spot @typedef {{width: number, height: number}} Size */

/** The names of the corners, clockwise from the top left. */
const CORNER_NAMES = [say('Top left corner'), say('Top right corner'), say('Bottom right corner'), say('Bottom left corner')];

/** Usual trays: the long and the short side inside, in millimetres. */
const USUAL_SIZES = [
  { name: 'tray', title: say('Tray, 30 × 20 cm'), long: 300, short: 200 },
  { name: 'small', title: say('Small tray, 25 × 18 cm'), long: 250, short: 180 },
  { name: 'folding', title: say('Folding tray, 20 × 20 cm'), long: 200, short: 200 },
  { name: 'box', title: say('Lid of a shoe box, 33 × 19 cm'), long: 330, short: 190 },
];

/** Pixels that a key moves a corner by, and with Shift. */
const STEP_PX = 1;
const LONG_STEP_PX = 20;
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const clamped = (share) => Math.min(1, Math.max(0, share));

/** Return the corners with one at another spot, kept inside the still. @param {Spot[]} corners @param {number} which @param {Spot} spot @returns {Spot[]} */
export const withCorner = (corners, which, [x, y]) => corners.map((corner, at) => (at === which ? [clamped(x), clamped(y)] : corner));

/** Return the spot that a key moves a corner to, null for another key. @param {Spot} spot @param {string} key @param {boolean} isLong @param {Size} size of the still in pixels @returns {Spot | null} */
export function movedByKey([x, y], key, isLong, { width, height }) {
  const way = WAYS[key];
  if (!way) return null;
  const step = isLong ? LONG_STEP_PX : STEP_PX;
  return [x + (way[0] * step) / width, y + (way[1] * step) / height];
}

/** Return which corner is nearest to a spot. @param {Spot[]} corners @param {Spot} spot @param {Size} size @returns {number} */
export function nearestCorner(corners, [x, y], { width, height }) {
  const away = corners.map(([cx, cy]) => Math.hypot((cx - x) * width, (cy - y) * height));
  return away.indexOf(Math.min(...away));
}

/** The edge of the magnifier, and how far it stands from its corner. */
const MAGNIFIER_PX = 132;
const BESIDE_PX = 46;

/** Return where the magnifier stands beside a corner, its left and top in the pixels of the picture's box: never under the finger. @param {Spot} spot @param {Size} box @returns {{left: number, top: number}} */
export function magnifierPlace([x, y], { width, height }) {
  const [across, down] = [x * width, y * height];
  const left = x > 0.5 ? across - BESIDE_PX - MAGNIFIER_PX : across + BESIDE_PX;
  const top = Math.min(Math.max(down - MAGNIFIER_PX / 2, 0), Math.max(height - MAGNIFIER_PX, 0));
  return { left: Math.min(Math.max(left, 0), Math.max(width - MAGNIFIER_PX, 0)), top };
}

/** Return width and height for a tray of that long and short side, as it lies in the still. @param {Spot[]} corners @param {Size} size @param {number} long @param {number} short @returns {{width_mm: number, height_mm: number}} */
export function sizeAsItLies(corners, { width, height }, long, short) {
  const length = (one, other) => Math.hypot((corners[one][0] - corners[other][0]) * width, (corners[one][1] - corners[other][1]) * height);
  const isWide = length(0, 1) + length(3, 2) >= length(0, 3) + length(1, 2);
  return isWide ? { width_mm: long, height_mm: short } : { width_mm: short, height_mm: long };
}

/** Return the name of a usual size, '' for one of the owner's own. @param {number} one @param {number} other @returns {string} */
export function usualSize(one, other) {
  const [long, short] = [Math.max(one, other), Math.min(one, other)];
  return USUAL_SIZES.find((size) => size.long === long && size.short === short)?.name ?? '';
}

const OWN = 'own';
const MAGNIFIED = 3;
const LEAST_MM = 60;
const MOST_MM = 3000;

/** Made when corners are tapped first. */
let dialog = null;

/** What is on the page: the still, its picture, the corners and the elements that follow them. */
let now = null;
let told = () => {};

/** Show a still with the corners to draw. @param {() => void} done called when corners were kept or taken away @returns {Promise<void>} */
export async function openCorners(done) {
  told = done;
  dialog ??= document.body.appendChild(h('dialog', { id: 'corners', 'aria-labelledby': 'corners-title', onclose: () => (now = null) }));
  dialog.replaceChildren(frame(h('p', { class: 'doing' }, say('Taking a picture …')), closing(say('Cancel'))));
  if (!dialog.open) dialog.showModal();
  const [still, kept] = await Promise.all([postJson('/api/corners/still'), getJson('/api/corners')]).catch((error) => [error, null]);
  if (!dialog.open) return;
  if (!kept) return showFailure(still);
  const image = new Image();
  image.src = `/corners.jpg?number=${still.number}`;
  const isThere = await image.decode().then(() => true, () => false);
  if (!dialog.open) return;
  if (isThere) show(still, image, kept);
  else showFailure(new ApiError());
}

const frame = (...children) => h('div', { class: 'inside' }, h('h2', { id: 'corners-title', tabindex: '-1' }, say('The tray’s corners')), ...children);

const closing = (words) => h('button', { type: 'button', class: 'quiet', onclick: () => dialog.close() }, words);

const showFailure = (error) => dialog.replaceChildren(frame(h('p', { class: 'problem', role: 'alert' }, errorSentence(error, 'box')),
  h('div', { class: 'pair' }, closing(say('Cancel')), h('button', { type: 'button', class: 'main', onclick: () => openCorners(told) }, say('Try again')))));

/* The still with its handles */

function show(still, image, kept) {
  const outline = svg('polygon', {});
  const magnifier = /** @type {HTMLCanvasElement} */ (h('canvas', { class: 'magnifier', width: MAGNIFIER_PX, height: MAGNIFIER_PX, hidden: true, 'aria-hidden': 'true' }));
  const handles = CORNER_NAMES.map((name, which) => handle(name, which));
  const box = h('div', { class: 'still' }, image, svg('svg', { viewBox: '0 0 1 1', preserveAspectRatio: 'none', 'aria-hidden': 'true' }, outline), ...handles, magnifier);
  image.alt = say('What the camera sees, held still');
  box.style.setProperty('--shape', String(still.width / still.height));
  box.style.aspectRatio = `${still.width} / ${still.height}`;
  now = { still, image, box, outline, magnifier, handles, corners: still.corners, isDragging: false };
  box.addEventListener('pointerdown', grab);
  dialog.replaceChildren(frame(
    h('p', { id: 'corners-help' }, still.is_seen ? say('Check each corner: it is where the walls meet the floor of the tray. Drag it, or tap it and use the arrow keys.') : say('Drag each corner to where the walls meet the floor of the tray. Or tap it and use the arrow keys.')),
    box, sizes(still), h('p', { class: 'problem', id: 'corners-problem', role: 'alert' }),
    h('div', { class: 'pair' }, closing(say('Cancel')), h('button', { type: 'button', class: 'main', id: 'use-corners', onclick: keep }, say('Use these corners'))),
    kept.kept && h('button', { type: 'button', class: 'quiet', id: 'forget-corners', onclick: forget }, say('My tray has markers now'))));
  place();
  /** @type {HTMLElement} */ (dialog.querySelector('h2')).focus();
}

function handle(name, which) {
  const button = h('button', { type: 'button', class: 'handle', 'data-corner': String(which), 'aria-label': name, 'aria-describedby': 'corners-help' });
  button.addEventListener('keydown', (event) => {
    const spot = movedByKey(now.corners[which], event.key, event.shiftKey, now.still);
    if (!spot) return;
    event.preventDefault();
    move(which, spot);
  });
  button.addEventListener('focus', () => magnify(which));
  button.addEventListener('blur', () => now && (now.magnifier.hidden = true));
  return button;
}

/** Begin to draw the corner that was touched, or the nearest one; a finger on a handle keeps its distance from the corner, and a second finger does nothing. */
function grab(event) {
  event.preventDefault();
  if (now.isDragging) return;
  const spot = spotOf(event);
  const touched = event.target.closest('.handle');
  const which = touched ? Number(touched.dataset.corner) : nearestCorner(now.corners, spot, now.still);
  const [x, y] = now.corners[which];
  const off = touched ? [x - spot[0], y - spot[1]] : [0, 0];
  const shown = now;
  const follow = (moved) => {
    if (moved.pointerId !== event.pointerId || shown !== now) return;
    const [mx, my] = spotOf(moved);
    move(which, [mx + off[0], my + off[1]]);
  };
  const { box } = now;
  const end = (lifted) => {
    if (lifted.pointerId !== event.pointerId) return;
    shown.isDragging = false;
    for (const [name, act] of /** @type {[string, any][]} */ ([['pointermove', follow], ['pointerup', end], ['pointercancel', end]])) box.removeEventListener(name, act);
  };
  now.isDragging = true;
  box.setPointerCapture(event.pointerId);
  box.addEventListener('pointermove', follow);
  box.addEventListener('pointerup', end);
  box.addEventListener('pointercancel', end);
  now.handles[which].focus({ preventScroll: true });
  follow(event);
}

function spotOf({ clientX, clientY }) {
  const { left, top, width, height } = now.box.getBoundingClientRect();
  return /** @type {[number, number]} */ ([(clientX - left) / width, (clientY - top) / height]);
}

function move(which, spot) {
  now.corners = withCorner(now.corners, which, spot);
  place();
  magnify(which);
}

/** Put the handles and the outline where the corners are. */
function place() {
  now.handles.forEach((button, which) => {
    const [x, y] = now.corners[which];
    button.style.left = `${100 * x}%`;
    button.style.top = `${100 * y}%`;
  });
  now.outline.setAttribute('points', now.corners.map((corner) => corner.join(',')).join(' '));
}

function magnify(which) {
  const { magnifier, image, still, corners, box } = now;
  const [x, y] = corners[which];
  const { left, top } = magnifierPlace([x, y], { width: box.clientWidth, height: box.clientHeight });
  magnifier.hidden = false;
  magnifier.style.left = `${left}px`;
  magnifier.style.top = `${top}px`;
  const context = magnifier.getContext('2d', { alpha: false });
  const scale = (MAGNIFIED * box.clientWidth) / still.width;
  const shown = MAGNIFIER_PX / scale;
  context.fillStyle = '#000';
  context.fillRect(0, 0, MAGNIFIER_PX, MAGNIFIER_PX);
  context.drawImage(image, x * still.width - shown / 2, y * still.height - shown / 2, shown, shown, 0, 0, MAGNIFIER_PX, MAGNIFIER_PX);
  context.strokeStyle = '#ffb84d';
  context.lineWidth = 2;
  context.beginPath();
  for (const at of corners) context.lineTo(MAGNIFIER_PX / 2 + (at[0] - x) * still.width * scale, MAGNIFIER_PX / 2 + (at[1] - y) * still.height * scale);
  context.closePath();
  context.stroke();
}

/* The tray's size */

function sizes({ width_mm: width, height_mm: height }) {
  const usual = usualSize(width, height);
  const choice = /** @type {HTMLSelectElement} */ (h('select', { id: 'tray-size' }, USUAL_SIZES.map(({ name, title }) => h('option', { value: name, selected: name === usual }, title)), h('option', { value: OWN, selected: !usual }, say('Another size'))));
  const number = (id, words, value) => h('label', {}, words, h('input', { id, type: 'number', inputmode: 'numeric', min: String(LEAST_MM), max: String(MOST_MM), value: String(Math.round(value)) }));
  const own = h('div', { class: 'own-size', hidden: Boolean(usual) }, number('long-mm', say('Long side in mm'), Math.max(width, height)), number('short-mm', say('Short side in mm'), Math.min(width, height)));
  choice.addEventListener('change', () => (own.hidden = choice.value !== OWN));
  return h('div', { class: 'tray-size' }, h('label', { for: 'tray-size' }, say('How large is it inside, from wall to wall?')), choice, own);
}

function sides() {
  const usual = USUAL_SIZES.find(({ name }) => name === field('tray-size'));
  return usual ? [usual.long, usual.short] : [Number(field('long-mm')), Number(field('short-mm'))].sort((one, other) => other - one);
}

const field = (id) => /** @type {HTMLInputElement} */ (dialog.querySelector(`#${id}`)).value;

/* What is kept */

async function keep() {
  const { still, corners } = now;
  const [long, short] = sides();
  const asked = { still: still.number, corners, ...sizeAsItLies(corners, still, long, short) };
  const answer = await postJson('/api/corners', asked).catch(tellProblem);
  if (answer) showKept(answer);
}

async function forget() {
  const answer = await postJson('/api/corners/forget').catch(tellProblem);
  if (!answer) return;
  dialog.close();
  told();
}

function tellProblem(error) {
  const problem = dialog.querySelector('#corners-problem');
  if (problem) problem.textContent = errorSentence(error, 'box');
  return null;
}

/** Show where the tray is now, and what is known of it. */
function showKept({ outline, told: sentence, fits }) {
  if (!now) return told(); // closed meanwhile
  const { box, image } = now;
  const drawn = svg('svg', { viewBox: '0 0 1 1', preserveAspectRatio: 'none', 'aria-hidden': 'true' }, svg('polygon', { class: 'kept', points: outline.map((corner) => corner.join(',')).join(' ') }));
  box.replaceChildren(image, drawn);
  box.removeEventListener('pointerdown', grab);
  dialog.replaceChildren(frame(box, h('p', { id: 'corners-told', role: 'status', 'data-fits': String(fits) }, sentence), h('button', { type: 'button', class: 'main', id: 'corners-done', onclick: () => dialog.close() }, say('Done'))));
  /** @type {HTMLElement} */ (dialog.querySelector('#corners-done')).focus();
  told();
}
