// A phone joins in as the camera: with the code of a QR code that was scanned, or the six dice that the box shows.

import { getJson, postJson } from '../api.js';
import { faceIcon } from '../die_faces.js';
import { scannedCode } from '../format.js';
import { html } from '../html.js';
import { say } from '../say.js';
import { errorSentence } from '../toast.js';

const CODE_DICE = 6;
const FACES = [1, 2, 3, 4, 5, 6];
const MAY_SEND = ['camera', 'keeper'];

const code = scannedCode(location.hash);
if (location.hash) history.replaceState(null, '', location.pathname);
let problem = '';

const faceOf = (face) => html`<span class="pips" ref=${(element) => element?.replaceChildren(faceIcon(`pip-${face}`))}></span>`;

/** Return true if this browser may be the camera now; one with a scanned code joins in at once. @returns {Promise<boolean>} */
export async function mayBeCamera() {
  const access = await getJson('/api/door').catch(() => null);
  if (!access) return false;
  if (MAY_SEND.includes(access.role)) return true;
  if (access.role === 'watcher' && code.length === CODE_DICE) return join();
  return false;
}

async function join() {
  const asked = { code: code.splice(0), name: say('Camera'), camera: true };
  return postJson('/api/door/pair', asked).then(() => true, (error) => {
    problem = errorSentence(error);
    return false;
  });
}

/** A player's phone plays no more, and becomes the camera. */
async function leave() {
  await postJson('/api/door/leave', { confirm: false }).catch((error) => (problem = errorSentence(error)));
}

/** Ask for a code, or enter it. @param {{role: string, again: () => void}} props `again` looks once more whether this phone may be the camera */
export function Joining({ role, again }) {
  const after = (act) => () => Promise.resolve(act()).then(again);
  if (role === 'player') {
    return html`<section class="joining"><h2>${say('This phone plays')}</h2>
      <p>${say('It can be the camera instead. Another phone or tablet decides then.')}</p>
      <p class="problem" role="alert">${problem}</p>
      <button type="button" class="main" id="become-camera" onClick=${after(leave)}>${say('Make it the camera')}</button></section>`;
  }
  return html`<section class="joining"><h2>${say('Let this phone in')}</h2>
    <p>${say('Scan the camera’s code on the table’s page, or tap the six dice that the box shows.')}</p>
    <ol class="slots">${Array.from({ length: CODE_DICE }, (_, place) => html`<li key=${place} class="slot">${code[place] && faceOf(code[place])}</li>`)}</ol>
    <div class="keys">${FACES.map((face) => html`<button type="button" class="key" key=${face} data-face=${face} aria-label=${String(face)} onClick=${after(() => enter(face))}>${faceOf(face)}</button>`)}</div>
    <p class="problem" role="alert">${problem}</p>
    <button type="button" id="ask-code" onClick=${after(askForCode)}>${say('Show me a code')}</button></section>`;
}

function enter(face) {
  problem = '';
  code.push(face);
}

async function askForCode() {
  code.length = 0;
  problem = '';
  await postJson('/api/door/ask').catch((error) => (problem = errorSentence(error)));
}
