// A mirrored picture, which one tap of a keeper puts right.

import { getJson, postJson } from '../api.js';
import { say } from '../say.js';

const MIRRORED = say('The picture is mirrored: turn the mirror off.');

/** Return true if a sentence about the camera says that its picture is mirrored. @param {string} sentence @returns {boolean} */
export const isMirrored = (sentence) => sentence.includes(MIRRORED);

/** Mirror the camera's picture the other way round. @returns {Promise<any>} the cameras */
export async function mirrorBack() {
  const { mirrored } = await getJson('/api/cameras');
  return postJson('/api/cameras/adjust', { mirrored: !mirrored });
}
