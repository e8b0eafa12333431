// What the camera's picture shows, drawn over it: markers, zones and dice as they are seen, and what is wrong at its place.

import { faceIcon, hasDrawing } from './die_faces.js';
import { byId, h, redraw, svg } from './dom.js';
import { say } from './say.js';
import { middleOf, nextThing, placeLabels } from './sight_view.js';

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
