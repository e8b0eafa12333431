// Drawings of the dice's faces: SVG of 100 by 100 units, on a die of their own colour.

import { svg } from './dom.js';

const INK = '#241a12';
const CHALK = '#fffaf0';
const BONE = '#f6eddd';
/** Pips and letters are drawn in the colour that is legible on the die's body. */
const PEN = 'currentColor';
/** Bodies of less than this luminance have light pips. */
const DARK = 0.32;

const dot = (x, y, r = 9, fill = INK) => svg('circle', { cx: x, cy: y, r, fill });
const line = (d, colour = INK, width = 8) =>
  svg('path', { d, fill: 'none', stroke: colour, 'stroke-width': width, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' });
const shape = (d, fill) => svg('path', { d, fill });
const letters = (text, fill = PEN, size = 62, y = 72) =>
  svg('text', { x: 50, y, fill, 'font-size': size, 'font-weight': 700, 'text-anchor': 'middle', 'font-family': 'inherit' }, text);

const STAR = 'M50 15 60.6 38.4 86 41.3 67.1 58.5 72.3 83.6 50 71 27.7 83.6 32.9 58.5 14 41.3 39.4 38.4z';
const BOLT = 'M58 10 24 56h21l-6 34 37-48H54z';
const OCTAGON = 'M35.5 15h29L85 35.5v29L64.5 85h-29L15 64.5v-29z';

const LEFT = 28, MIDDLE = 50, RIGHT = 72;
const PIPS = {
  1: [[MIDDLE, MIDDLE]],
  2: [[LEFT, LEFT], [RIGHT, RIGHT]],
  3: [[LEFT, LEFT], [MIDDLE, MIDDLE], [RIGHT, RIGHT]],
  4: [[LEFT, LEFT], [RIGHT, LEFT], [LEFT, RIGHT], [RIGHT, RIGHT]],
  5: [[LEFT, LEFT], [RIGHT, LEFT], [MIDDLE, MIDDLE], [LEFT, RIGHT], [RIGHT, RIGHT]],
  6: [[LEFT, LEFT], [RIGHT, LEFT], [LEFT, MIDDLE], [RIGHT, MIDDLE], [LEFT, RIGHT], [RIGHT, RIGHT]],
};

const head = (fill, mouth) => [
  dot(50, 50, 37, fill),
  dot(37, 42, 5.5),
  dot(63, 42, 5.5),
  line(mouth, INK, 7),
];
const panel = (fill, letter) => [
  svg('rect', { x: 14, y: 14, width: 72, height: 72, rx: 10, fill }),
  letters(letter, '#fff', 54, 69),
];
const lever = (fill, knob) => [
  svg('rect', { x: 12, y: 30, width: 76, height: 40, rx: 20, fill }),
  dot(knob, 50, 15, '#fff'),
];

const DRAWN = {
  happy: () => head('#ffcf3f', 'M32 58q18 22 36 0'),
  sad: () => head('#5aa9ea', 'M33 70q17-20 34 0'),
  star: (body) => [shape(STAR, isDark(body) ? CHALK : '#e0a010'), line(STAR, PEN, 4)],
  two: () => [letters('2')],
  three: () => [letters('3')],
  four: () => [letters('4')],
  go: () => [dot(50, 50, 36, '#1f9d55'), line('M42 34l18 16-18 16', '#fff')],
  slow: () => [dot(50, 50, 36, '#e9a31b'), line('M32 50h36', INK)],
  stop: () => [shape(OCTAGON, '#cf2e2e'), line('M38 38l24 24M62 38 38 62', '#fff')],
  green: () => panel('#1f9d55', 'G'),
  yellow: () => [svg('rect', { x: 14, y: 14, width: 72, height: 72, rx: 10, fill: '#f0b92b' }), letters('Y', INK, 54, 69)],
  red: () => panel('#cf2e2e', 'R'),
  zap: () => [shape(BOLT, '#e9a31b'), line(`${BOLT}`, INK, 3)],
  'green-switch': () => lever('#1f9d55', 68),
  'red-switch': () => lever('#cf2e2e', 32),
  block: () => [dot(50, 50, 33, '#2f6fd6'), line('M34 50h32', '#fff', 9)],
  blank: () => [],
};

function drawing(face, colour = BONE) {
  const [prefix, count] = face.split('-');
  if (prefix === 'pip' && PIPS[count]) return PIPS[count].map(([x, y]) => dot(x, y, 9, PEN));
  if (prefix === 'digit') return [letters(count)];
  return DRAWN[face]?.(colour) ?? [letters('?', '#8a7a68')];
}

const body = (fill) => [
  svg('rect', { x: 2, y: 2, width: 96, height: 96, rx: 20, fill }),
  svg('path', { d: 'M22 2h56a20 20 0 0 1 20 20v12C70 14 30 14 2 34V22A20 20 0 0 1 22 2z', fill: '#fff', opacity: .16 }),
  svg('rect', { x: 3, y: 3, width: 94, height: 94, rx: 19, fill: 'none', stroke: '#000', 'stroke-opacity': .22, 'stroke-width': 2 }),
];

/** Return how bright a colour such as #5b2a86 is, 0 to 1. */
function luminance(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
  return .299 * red + .587 * green + .114 * blue;
}

const isDark = (colour) => luminance(colour) < DARK;

const icon = (className, ...children) => svg('svg', { viewBox: '0 0 100 100', class: className, 'aria-hidden': 'true', focusable: 'false' }, ...children);

/** Draw something on a die of a body's colour. */
function onDie(className, colour, ...drawn) {
  const die = icon(className, ...body(colour), ...drawn);
  die.style.color = isDark(colour) ? CHALK : INK;
  return die;
}

/** Draw a face on a die of a body's colour, hidden from screen readers: its title stands next to it. @param {string} face @param {string} className @param {string} colour @returns {SVGElement} */
export const faceIcon = (face, className = 'face', colour = BONE) => onDie(className, colour, ...drawing(face, colour));

/** Draw what a face shows without the die around it, as on a light. @param {string} face @param {string} className @returns {SVGElement} */
export const faceGlyph = (face, className = 'glyph') => icon(className, ...drawing(face));

/** Draw a face that has no drawing: its title, or the first letter of a long one. @param {string} title @param {string} className @param {string} colour @returns {SVGElement} */
export function titleIcon(title, className = 'face', colour = BONE) {
  const word = [...title].length > 3 ? [...title][0].toUpperCase() : title;
  const size = [62, 56, 42][[...word].length - 1] ?? 62;
  return onDie(className, colour, letters(word, PEN, size, 50 + size * .36));
}

/** Draw a face, one without a drawing by its title. @param {string} face @param {string} title @param {string} [className] @param {string} [colour] @returns {SVGElement} */
export const faceOrTitle = (face, title, className, colour) => (hasDrawing(face) ? faceIcon(face, className, colour) : titleIcon(title, className, colour));

/** Return true if a face has a drawing. @param {string} face @returns {boolean} */
export const hasDrawing = (face) => face in DRAWN || /^(pip|digit)-[1-6]$/.test(face);
