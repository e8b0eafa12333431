// What the page of the cameras says of each, and which it shows. No DOM.

import { say } from '../say.js';

/** @typedef {{key: string, kind: string, title: string, is_on: boolean, waits: boolean, has_picture: boolean, trouble: string}} Camera */

/** Return the cameras that this browser can choose: its own only where it may show it. @param {Camera[]} cameras @param {boolean} isSecure @returns {Camera[]} */
export const choosable = (cameras, isSecure) => cameras.filter(({ kind, is_on: isOn, waits }) => kind !== 'browser' || isSecure || isOn || waits);

/** Return the word for how a camera stands, '' for one that can be chosen. @param {Camera} camera @param {string} opening the key of the one that is being opened @returns {string} */
export function stateOf(camera, opening) {
  if (camera.key === opening) return say('Opening …');
  if (camera.is_on) return camera.trouble || say('In use');
  if (camera.waits) return say('Waiting for its picture …');
  return camera.trouble;
}

/** Return how a camera is marked: in use, being opened or waited for, in trouble, or none of it. @param {Camera} camera @param {string} opening @returns {'on' | 'coming' | 'bad' | 'free'} */
export function markOf(camera, opening) {
  if (camera.key === opening || camera.waits) return 'coming';
  if (camera.trouble) return 'bad';
  return camera.is_on ? 'on' : 'free';
}

/** Return what to show of a phone: its code while it is waited for, or does not send. @param {Camera[]} cameras @returns {'phone' | 'browser' | ''} */
export function askedFor(cameras) {
  const asked = cameras.find(({ kind, waits, is_on: isOn, trouble }) => ['phone', 'browser'].includes(kind) && (waits || (isOn && trouble)));
  return /** @type {'phone' | 'browser' | ''} */ (asked?.kind ?? '');
}

/** Return the next turn of the picture, in degrees. @param {number} turned @returns {number} */
export const nextTurn = (turned) => (turned + 90) % 360;
