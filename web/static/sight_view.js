// What the camera's picture shows: the one thing to do next, whether a game can begin, and where labels have room. No DOM.

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
