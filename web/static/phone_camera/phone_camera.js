// The page of a phone that is the camera: it joins in, shows its picture and what the box finds in it, and sends the pictures, or
// photographs where it has no live picture.

import { getJson, postJson, postPicture } from '../api.js';
import { CODE_DICE, FACES, scannedCode } from '../code_dice.js';
import { faceIcon } from '../die_faces.js';
import { keepScreenOn } from '../display.js';
import { byId, errorSentence, redraw } from '../dom.js';
import { html, render } from '../html.js';
import { say } from '../say.js';
import { drawNextThing, drawSight, offersCorners, tapCorners } from '../sight.js';
import { role } from '../viewer.js';
import { OwnCamera, canShowLive, photographJpeg, takePicture, watchedPixels } from './own_camera.js';
import { MotionWatch, PictureSender, isLookDue, isSpared, nextPicture } from './picture_sender.js';

/* Joining in: with the code of a QR code that was scanned, or the six dice that the box shows */

const MAY_SEND = ['camera', 'keeper'];

const code = scannedCode(location.hash);
if (location.hash) history.replaceState(null, '', location.pathname);
let problem = '';

const faceOf = (face) => html`<span class="pips" ref=${(element) => element?.replaceChildren(faceIcon(`pip-${face}`))}></span>`;

/** Return true if this browser may be the camera now; one with a scanned code joins in at once. */
async function mayBeCamera() {
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
function Joining({ role, again }) {
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

/* A photograph a throw, where the browser lends a page no live camera: taken with the phone’s own camera app, made small and sent */

const ADDRESS = '/api/camera/photograph';
const TIMEOUT_MS = 30000;
const OK = 200;
const BAD_REQUEST = 400;

const told = { isSending: false, verdict: 'unsure', words: '', advice: '', offersCorners: false };

function tell(verdict, words, advice = '', offersCorners = false) {
  Object.assign(told, { isSending: false, verdict, words, advice, offersCorners });
}

async function send(file) {
  const jpeg = await photographJpeg(file);
  if (!jpeg) return tell('bad', say('This browser cannot open the photograph. Set the phone’s camera to JPEG, also called most compatible.'));
  const { status, answer } = await postPicture(ADDRESS, jpeg, TIMEOUT_MS);
  if (status !== OK) return tell('bad', answer?.error ?? say('The box does not answer. Take the photograph again.'), '', status === BAD_REQUEST);
  const [first] = answer.findings;
  const has = answer.is_tapped ? say('The box has it, by the tapped corners. The table’s page shows the dice.') : say('The box has it: {count} of 4 markers. The table’s page shows the dice.', { count: answer.markers.length });
  return tell('good', has, first ? first.advice || first.told : '', answer.is_tapped);
}

/** Take a photograph and send it; what becomes of it stands below. @param {{again: () => void}} props `again` draws the page anew */
function Photographs({ again }) {
  const take = ({ currentTarget: field }) => {
    const [file] = field.files;
    field.value = ''; // the same file may be chosen again
    if (!file || told.isSending) return;
    Object.assign(told, { isSending: true, verdict: 'unsure', words: say('Sending …'), advice: '' });
    again();
    send(file).then(again);
  };
  const tapped = () => {
    tell('good', say('The box has it, by the tapped corners. The table’s page shows the dice.'), '', true);
    again();
  };
  return html`<section class="joining" id="photographs"><h2>${say('One photograph a throw')}</h2>
    <p>${say('When the dice lie still, photograph the whole tray from above, with its four markers. A tray without markers needs the phone in a stand.')}</p>
    <label class="button strong take"><input type="file" accept="image/jpeg,image/*" capture="environment" id="take" onChange=${take} disabled=${told.isSending} />${say('Photograph the throw')}</label>
    <p id="state" role="status" data-verdict=${told.verdict}>${told.words || say('No photograph yet.')}</p>
    ${told.advice && html`<p class="doing" id="to-do">${told.advice}</p>`}
    ${told.offersCorners && html`<button type="button" id="tap-corners" onClick=${() => tapCorners(tapped)}>${told.verdict === 'good' ? say('Check the corners') : say('My tray has no markers')}</button>`}
    <p class="note">${say('Nobody sees what happens between two photographs. So Vander asks who moved what.')}</p></section>`;
}

/* The page */

const page = byId('phone-camera');
const shown = { isLive: canShowLive(), mayBe: false, role: role(), guide: null, isSending: false, problem: '', camera: '', secureUrl: '' };

/* What is seen */

function Guide() {
  const { guide } = shown;
  if (!guide) return html`<p class="doing">${say('Looking …')}</p>`;
  return html`<div id="to-do" aria-live="polite" ref=${(element) => element && redraw(element, guide.findings, drawNextThing)}></div>
    ${offersCorners(guide) && html`<button type="button" id="tap-corners" onClick=${() => tapCorners(draw)}>${guide.is_tapped ? say('Check the corners') : say('My tray has no markers')}</button>`}`;
}

function State() {
  const words = shown.problem || (shown.isSending ? say('The box sees the tray.') : say('Looking for the box …'));
  return html`<p id="state" role="status" data-verdict=${shown.problem ? 'bad' : shown.isSending ? 'good' : 'unsure'}>${words}</p>`;
}

const NotSecure = () => html`<section class="joining" id="not-secure"><h2>${say('This address cannot show a live picture')}</h2>
  <p>${say('Browsers lend their camera to secure addresses alone.')}</p>
  ${shown.secureUrl && html`<a class="button" href=${shown.secureUrl}>${say('Open the secure address')}</a>`}
  <p class="note">${shown.secureUrl ? '' : say('For a live picture, turn https on: VANDER_HTTPS=true, or vander play --https.')}</p></section>`;

function Page() {
  if (!shown.mayBe) return html`<${Joining} role=${shown.role} again=${lookWhoThisIs} />`;
  if (!shown.isLive) return html`<${Photographs} again=${draw} /><${NotSecure} />`;
  return html`<div id="picture" class="sight"><video id="video" ref=${show} muted playsinline autoplay></video>
      <svg id="outlines" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"></svg><div id="labels"></div></div>
    <div id="guide">${shown.camera ? html`<p class="problem" role="alert">${shown.camera}</p>` : html`<${State} /><${Guide} />`}</div>`;
}

function draw() {
  page.classList.remove('waiting');
  render(html`<${Page} />`, page);
  if (shown.guide && byId('labels')) drawSight(shown.guide);
}

/* What is sent */

const watch = new MotionWatch();
const known = { movedAt: -Infinity, sentAt: -Infinity, fullAt: -Infinity, needsFull: true, lookedAt: -Infinity, shape: '' };

function heard(answer, problem) {
  known.needsFull = answer?.needs_full ?? true;
  const before = JSON.stringify([shown.guide, shown.isSending, shown.problem]);
  [shown.isSending, shown.problem] = [Boolean(answer), answer ? '' : problem];
  if (answer?.guide) shown.guide = answer.guide;
  if (JSON.stringify([shown.guide, shown.isSending, shown.problem]) !== before) draw();
}

const sender = new PictureSender(heard);

function look(video) {
  const now = performance.now();
  if (!isLookDue({ ...known, now })) return;
  const spared = isSpared({ ...known, now });
  known.lookedAt = now;
  if (watch.sees(watchedPixels(video))) known.movedAt = now;
  const shape = `${video.videoWidth}:${video.videoHeight}`;
  if (shape !== known.shape) [known.shape, known.fullAt] = [shape, -Infinity]; // the phone was turned
  const next = sender.isReady ? nextPicture({ ...known, now, needsFull: known.needsFull && !sender.hasFull, isBehind: sender.isBehind }) : null;
  if (!next) return;
  known.sentAt = now;
  if (next.full) known.fullAt = now;
  sender.send(now, next.full, spared, takePicture(video, next.full));
}

const REFUSED = { NotAllowedError: () => say('The browser may not use the camera. Allow it in the browser’s settings, and open this page again.'), NotFoundError: () => say('This device has no camera.') };

function tellCamera(error) {
  shown.camera = error ? (REFUSED[error.name]?.() ?? say('The camera is used by something else. It goes on by itself.')) : '';
  draw();
}

/** Show the camera in the video element, once it is on the page. */
function show(video) {
  if (!video || video.dataset.shown) return;
  video.dataset.shown = 'yes';
  const camera = new OwnCamera(video, tellCamera);
  camera.open();
  camera.follow(() => look(video));
  sender.begin();
  keepScreenOn(true);
}

async function lookWhoThisIs() {
  shown.mayBe = await mayBeCamera();
  shown.role = (await getJson('/api/door').catch(() => null))?.role ?? shown.role;
  draw();
}

async function start() {
  const now = await getJson('/api/camera').catch(() => null);
  shown.secureUrl = now?.is_secure ? now.urls[0] : '';
  await lookWhoThisIs();
}

start();
