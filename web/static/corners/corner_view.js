// Where the four corners of a tray stand in a still, and what becomes of them when they are moved. No DOM; places are fractions.

import { say } from '../say.js';

/** @typedef {[number, number]} Spot @typedef {{width: number, height: number}} Size */

/** The names of the corners, clockwise from the top left. */
export const CORNER_NAMES = [say('Top left corner'), say('Top right corner'), say('Bottom right corner'), say('Bottom left corner')];

/** Usual trays: the long and the short side inside, in millimetres. */
export const USUAL_SIZES = [
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
