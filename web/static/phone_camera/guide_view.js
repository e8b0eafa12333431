// What is said of the phone's picture: a sign and a word for each finding of the box, and the one thing to do next. No DOM.

import { say } from '../say.js';

/** @typedef {{name: string, verdict: 'good' | 'unsure' | 'bad', told: string, advice: string}} Finding */

const SIGNS = { good: '✓', unsure: '!', bad: '✗' };
const MARKERS = 4;
const RANKS = ['good', 'unsure', 'bad'];

const words = () => ({ tray: say('Tray'), light: say('Light'), glare: say('Glare'), focus: say('Sharpness') });

/** Return the signs to show, in the order of the box. @param {Finding[]} findings @returns {{name: string, verdict: string, sign: string, word: string}[]} */
export const signsOf = (findings) => findings.map(({ name, verdict }) => ({ name, verdict, sign: SIGNS[verdict], word: words()[name] ?? name }));

/** Return the finding that is worst, null where all is well. @param {Finding[]} findings @returns {Finding | null} */
export function toDoFirst(findings) {
  const poor = findings.filter(({ verdict }) => verdict !== 'good');
  return [...poor].sort((one, other) => RANKS.indexOf(other.verdict) - RANKS.indexOf(one.verdict))[0] ?? null;
}

/** Return true if corners may be tapped: no four markers are in sight. @param {{markers: {number: number}[], is_tapped: boolean}} guide @returns {boolean} */
export const offersCorners = ({ markers, is_tapped: isTapped }) => isTapped || markersSeen(markers) < MARKERS;

/** Return how many of the tray's four markers are in sight. @param {{number: number}[]} markers @returns {number} */
export const markersSeen = (markers) => new Set(markers.map(({ number }) => number)).size;
