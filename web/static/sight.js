// What the camera's picture shows, drawn over it: markers, zones and dice as they are seen, what is wrong at its place, and the one
// thing to do next.

import { faceIcon, hasDrawing } from './die_faces.js';
import { byId, h, redraw, svg } from './dom.js';
import { latePart } from './late.js';
import { say } from './say.js';

/** @typedef {[number, number][]} Place corners in fractions of the picture */
/** @typedef {{name: string, verdict: 'unsure' | 'bad', told: string, advice: string, place: Place}} Finding */
/** @typedef {{left: number, top: number, width: number, height: number}} Box */

const MARKERS = 4;
/** Pixels between labels, and between a label and the edge of the picture. */
const GAP = 6;
/** The height in pixels of the sign at a place, which stands on it: a label goes under the place, or over its sign. */
const SIGN = 36;

/** Return the words for what is to be done next; a game can begin where nothing is bad. @param {Finding[]} findings worst first @returns {{verdict: 'good' | 'unsure' | 'bad', told: string, advice: string, name: string}} */
export function nextThing(findings) {
  const [first] = findings;
  return first ?? { name: '', verdict: 'good', told: say('All is well.'), advice: say('The camera sees the tray.') };
}

/** Return true where a game can begin. @param {Finding[]} findings @returns {boolean} */
export const canBegin = (findings) => findings.every(({ verdict }) => verdict !== 'bad');

/** Return true if corners may be tapped: no four markers are in sight. @param {{markers: {number: number}[], is_tapped: boolean}} sight @returns {boolean} */
export const offersCorners = ({ markers, is_tapped: isTapped }) => isTapped || new Set(markers.map(({ number }) => number)).size < MARKERS;

/** Return the middle of a place. @param {Place} place @returns {[number, number]} */
export function middleOf(place) {
  const sum = place.reduce(([x, y], [x2, y2]) => [x + x2, y + y2], [0, 0]);
  return [sum[0] / place.length, sum[1] / place.length];
}

const clamp = (value, most) => Math.max(GAP, Math.min(value, most));

const overlaps = (one, other) => one.left < other.left + other.width + GAP && other.left < one.left + one.width + GAP && one.top < other.top + other.height + GAP && other.top < one.top + one.height + GAP;

/**
 * Return where each label has room in the picture, as near to its place as the labels before it let it be; null for none.
 * @param {{width: number, height: number, at: [number, number]}[]} labels sizes in pixels and places as fractions
 * @param {{width: number, height: number}} picture in pixels @returns {(Box | null)[]}
 */
export function placeLabels(labels, picture) {
  const placed = /** @type {Box[]} */ ([]);
  return labels.map(({ width, height, at: [x, y] }) => {
    const left = clamp(x * picture.width - width / 2, picture.width - width - GAP);
    const [under, over] = [y * picture.height + GAP, y * picture.height - SIGN - height];
    const wanted = clamp(under + height + GAP > picture.height ? over : under, picture.height - height - GAP);
    const tops = [wanted, ...placed.flatMap((one) => [one.top + one.height + GAP, one.top - height - GAP])];
    const fits = tops
      .map((top) => ({ left, top, width, height }))
      .filter((box) => box.top >= 0 && box.top + height <= picture.height && box.left + width <= picture.width && placed.every((other) => !overlaps(box, other)))
      .sort((one, other) => Math.abs(one.top - wanted) - Math.abs(other.top - wanted));
    if (fits[0]) placed.push(fits[0]);
    return fits[0] ?? null;
  });
}

const editor = latePart('corners/corner_editor.js', 'corners.css');

/** Let people tap the tray's corners. @param {() => void} done called when corners were kept or taken away @returns {void} */
export const tapCorners = (done) => editor.use(({ openCorners }) => openCorners(done));

/** The sign of each verdict. */
const SIGNS = { good: '✓', unsure: '!', bad: '✗' };
const ZONES = { field: say('Field'), signal: say('Signal'), aside: say('Bay') };
/** How far the word of a zone stands from its middle towards its lower edge. */
const LOW = 0.45;

const points = (corners) => corners.map((corner) => corner.join(',')).join(' ');

const outline = (corners, properties) => svg('polygon', { points: points(corners), ...properties });

/** Draw what a picture shows over it: into the SVG element `outlines` and the element `labels`, which lie on the picture. @param {any} sight @returns {void} */
export function drawSight(sight) {
  redraw(byId('outlines'), sight, drawOutlines);
  redraw(byId('labels'), sight, drawLabels);
  arrangeLabels();
}

const drawOutlines = ({ markers, zones, dice, shown, findings }) => [
  shown.length > 0 && outline(shown, { class: 'shown' }),
  zones.map(({ corners }) => outline(corners, { class: 'zone' })),
  markers.map(({ corners, verdict }) => outline(corners, { class: 'marker', 'data-verdict': verdict })),
  dice.map(({ corners, accepted }) => outline(corners, { class: 'die', 'data-verdict': accepted ? 'good' : 'unsure' })),
  findings.map(({ place, verdict }) => place.length > 0 && outline(place, { class: 'wrong', 'data-verdict': verdict })),
];

const drawLabels = ({ zones, dice, findings }) => [
  zones.map(({ name, corners }) => put(h('span', { class: 'zone' }, ZONES[name]), low(corners))),
  dice.map(({ corners, face, accepted }) => accepted && hasDrawing(face) && put(h('span', { class: 'face' }, faceIcon(face)), aside(corners))),
  findings.map(({ place, verdict }) => place.length > 0 && put(h('span', { class: 'sign', 'data-verdict': verdict, 'aria-hidden': 'true' }, SIGNS[verdict]), middleOf(place))),
  findings.map(({ name, verdict, told, advice, place }) => place.length > 0 && h('p', { class: 'label', 'data-name': name, 'data-verdict': verdict, 'data-at': middleOf(place).join(' ') }, h('strong', {}, told), ' ', advice)),
];

/** Put an element at a place of the picture. The pages allow no style attributes. */
function put(element, [x, y]) {
  Object.assign(element.style, { left: `${x * 100}%`, top: `${y * 100}%` });
  return element;
}

/** The lower part of a zone, where few dice lie. */
function low(corners) {
  const [x, y] = middleOf(corners);
  return [x, y + LOW * (Math.max(...corners.map((corner) => corner[1])) - y)];
}

/** Next to a die, at its right. */
const aside = (corners) => [Math.max(...corners.map(([x]) => x)), middleOf(corners)[1]];

/** Put the labels where they have room; one without room is left out, and its sign stays. */
function arrangeLabels() {
  const layer = byId('labels');
  const labels = /** @type {HTMLElement[]} */ ([...layer.querySelectorAll('.label')]);
  const sizes = labels.map((label) => ({ width: label.offsetWidth, height: label.offsetHeight, at: /** @type {[number, number]} */ (label.dataset.at.split(' ').map(Number)) }));
  placeLabels(sizes, { width: layer.clientWidth, height: layer.clientHeight }).forEach((box, number) => {
    labels[number].classList.toggle('no-room', !box);
    if (box) Object.assign(labels[number].style, { left: `${box.left}px`, top: `${box.top}px` });
  });
}

/** Draw the one thing to do next, large. @param {any[]} findings @returns {HTMLElement} */
export function drawNextThing(findings) {
  const { name, verdict, told, advice } = nextThing(findings);
  return h('div', { class: 'next-thing', 'data-verdict': verdict, 'data-name': name },
    h('span', { class: 'sign', 'aria-hidden': 'true' }, SIGNS[verdict]),
    h('div', {}, h('h1', {}, told), advice && h('p', {}, advice)),
    name === 'tilt' && tiltDrawing());
}

/** Draw how a camera that looks from the side is to be moved: up, over the middle of the tray. */
const tiltDrawing = () => svg('svg', { class: 'tilt', viewBox: '0 0 200 120', role: 'img', 'aria-label': say('The camera goes up, over the middle of the tray') },
  svg('path', { class: 'table', d: 'M20 108h160' }),
  svg('path', { class: 'tray', d: 'M50 96v10h100V96' }),
  svg('path', { class: 'view', d: 'M100 98V44M86 98l14-54 14 54' }),
  svg('g', { class: 'from', transform: 'translate(176 72) rotate(62)' }, svg('rect', { x: -14, y: -9, width: 28, height: 18, rx: 5 }), svg('circle', { cx: 0, cy: 9, r: 5 })),
  svg('path', { class: 'way', d: 'M170 54Q156 24 124 24M132 16l-9 8 9 8' }),
  svg('g', { class: 'to', transform: 'translate(100 24)' }, svg('rect', { x: -14, y: -9, width: 28, height: 18, rx: 5 }), svg('circle', { cx: 0, cy: 9, r: 5 })));
