// The steps of the first run, and what each says of the doctor's findings. No DOM.

import { say } from './say.js';

/** @typedef {{name: string, verdict: 'good' | 'unsure' | 'bad', told: string, advice: string}} Finding */
/** @typedef {{verdict: 'good' | 'unsure' | 'bad' | 'looking', told: string, advice: string}} Verdict */

const VIRTUAL = 'virtual';
const RANKS = ['good', 'unsure', 'bad'];
const CHECKED = { camera: ['camera', 'focus'], mat: ['tray'], light: ['light', 'glare', 'exposure'] };
const LOOKING = { verdict: /** @type {const} */ ('looking'), told: say('Looking …'), advice: '' };

/** The heading of each step. */
export const TITLES = { camera: say('Does the camera see the tray?'), mat: say('Is the mat in the tray?'), light: say('Is there enough light?'), dice: say('Which dice are on the table?'), players: say('Who plays?') };

/** The short name of each step. */
export const NAMES = { camera: say('Camera'), mat: say('Mat'), light: say('Light'), dice: say('Dice'), players: say('Players') };

/** Return the steps: a drawn tray needs no mat and no lamp, and without the doctor nothing is examined. @param {string} camera @param {boolean} hasDoctor @returns {('camera' | 'mat' | 'light' | 'dice' | 'players')[]} */
export function stepsFor(camera, hasDoctor) {
  if (camera === VIRTUAL || camera.startsWith(`${VIRTUAL}:`)) return ['camera', 'dice', 'players'];
  return hasDoctor ? ['camera', 'mat', 'light', 'dice', 'players'] : ['camera', 'dice', 'players'];
}

/** Return what is said at a step: the worst of its findings; while there are none, that it is looked at. @param {string} step @param {Finding[] | null} findings @returns {Verdict} */
export function verdictAt(step, findings) {
  if (!findings) return LOOKING;
  const found = findings.filter(({ name }) => CHECKED[step]?.includes(name));
  const worst = [...found].sort((one, other) => RANKS.indexOf(other.verdict) - RANKS.indexOf(one.verdict))[0];
  if (!worst) return { verdict: 'bad', told: say('There is no picture to look at.'), advice: say('Go back to the camera first.') };
  return worst;
}

const MOST_FACES = 9;

/**
 * @typedef {{name: string, title: string, own: boolean, version: number, faces: {face: string, title: string, picture: string}[]}} DieSet
 * @typedef {{isRead: boolean, word: string}} Reading
 */

/** Return whether the dice of a set can be read now, and the word for it: those that Vander comes with, and those that it was taught. @param {DieSet} dieSet @returns {Reading} */
export function readingOf({ own, version }) {
  if (own) return version ? { isRead: true, word: say('Taught: read at once') } : { isRead: false, word: say('Not taught yet') };
  return { isRead: true, word: version ? say('Read at once, and taught here') : say('Read at once') };
}

/** Return the first different faces of a set, as many as have room. @param {DieSet} dieSet @returns {DieSet['faces']} */
export const facesOf = ({ faces }) => faces.filter(({ face }, at) => faces.findIndex((other) => other.face === face) === at).slice(0, MOST_FACES);

/** Return what the button to go on says: a step that is not well can be left all the same. @param {string} step @param {Verdict['verdict']} verdict @returns {string} */
export const nextWord = (step, verdict) => (step === 'players' ? say('Start') : verdict === 'bad' ? say('Go on all the same') : say('Next'));
