// What the sheet of a challenge shows: words and rows. No DOM.

import { say } from './say.js';

const HANDLED = {
  placed: say('A hand was there as it came to rest.'),
  turned: say('It was turned in its place.'),
  returned: say('It left the tray and came back.'),
  unseen: say('It was out of sight meanwhile.'),
};

/** Return how sure the reader was of a die, in words. @param {any} die @returns {string} */
export function readingOf({ confidence, read }) {
  if (confidence === null) return say('No reading was kept.');
  const percent = Math.floor(confidence * 100);
  return read ? say('Read as {face}, {percent} % sure', { face: read, percent }) : say('{percent} % sure', { percent });
}

/** Return which other faces were likely. @param {any} die @returns {string} */
export const runnersUp = ({ runners_up: others }) =>
  others.filter(({ share }) => share >= 0.005).slice(0, 2).map(({ title, share }) => `${title} ${Math.round(share * 100)} %`).join(', ');

/** Return why it is not certain that a die was thrown, or ''. @param {any} die @returns {string} */
export const handledNote = ({ handled }) => HANDLED[handled] ?? '';

/** Return the faces that dice are said to show, by their places, as the API takes them. @param {Map<number, string>} faces @returns {string} */
export const facesText = (faces) => [...faces].sort(([one], [other]) => one - other).map(([place, face]) => `${place}:${face}`).join(' ');

/** Return the scores that change, each with its step. @param {any} found @returns {{name: string, now: number, then: number, step: string}[]} */
export const scoreRows = ({ scores }) =>
  scores.map(({ name, now, then }) => ({ name, now, then, step: now === then ? '' : `${then > now ? '+' : '−'}${Math.abs(then - now)}` }));

/** Return what becomes of an entry, in words. @param {any} row @returns {string} */
export function consequenceText({ then, refusal, carried, now }) {
  if (refusal) return say('Could not have been: {refusal}', { refusal });
  if (carried) return say('{then} (with the other face)', { then });
  return then === now ? say('The same, with other scores.') : then;
}
