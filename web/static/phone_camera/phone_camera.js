// The page of a phone that is the camera: it shows its picture and what the box finds in it, and sends the pictures.

import { getJson } from '../api.js';
import { tapCorners } from '../corners/tray_corners.js';
import { byId, redraw } from '../dom.js';
import { html, render } from '../html.js';
import { say } from '../say.js';
import { role } from '../viewer.js';
import { drawNextThing, drawSight } from '../sight.js';
import { offersCorners } from '../sight_view.js';
import { keepScreenOn } from '../wake_lock.js';
import { Joining, mayBeCamera } from './camera_joining.js';
import { MotionWatch } from './motion_watch.js';
import { canShowLive, OwnCamera } from './own_camera.js';
import { Photographs } from './photographs.js';
import { isLookDue, isSpared, nextPicture } from './picture_pace.js';
import { PictureSender } from './picture_sender.js';
import { takePicture, watchedPixels } from './picture_taking.js';

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
