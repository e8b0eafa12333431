// The page on which the camera is chosen: a live picture of each that is found, and one tap to go on with it.

import { getJson, getPicture, postJson } from '../api.js';
import { byId, errorSentence } from '../dom.js';
import { html, render } from '../html.js';
import { sleep, untilVisible } from '../live_view.js';
import { say, sayParts } from '../say.js';

/** @typedef {{key: string, kind: string, title: string, is_on: boolean, waits: boolean, has_picture: boolean, trouble: string}} Camera */

/** Return the cameras that this browser can choose: its own only where it may show it. */
const choosable = (cameras, isSecure) => cameras.filter(({ kind, is_on: isOn, waits }) => kind !== 'browser' || isSecure || isOn || waits);

/** Return the word for how a camera stands, '' for one that can be chosen. @param {Camera} camera @param {string} opening the key of the one that is being opened @returns {string} */
function stateOf(camera, opening) {
  if (camera.key === opening) return say('Opening …');
  if (camera.is_on) return camera.trouble || say('In use');
  if (camera.waits) return say('Waiting for its picture …');
  return camera.trouble;
}

/** Return how a camera is marked: in use, being opened or waited for, in trouble, or none of it. */
function markOf(camera, opening) {
  if (camera.key === opening || camera.waits) return 'coming';
  if (camera.trouble) return 'bad';
  return camera.is_on ? 'on' : 'free';
}

/** Return what to show of a phone: its code while it is waited for, or does not send. */
function askedFor(cameras) {
  const asked = cameras.find(({ kind, waits, is_on: isOn, trouble }) => ['phone', 'browser'].includes(kind) && (waits || (isOn && trouble)));
  return /** @type {'phone' | 'browser' | ''} */ (asked?.kind ?? '');
}

/** Return the next turn of the picture, in degrees. */
const nextTurn = (turned) => (turned + 90) % 360;

const EVERY_MS = 1000;
const SOON_MS = 150;
const OPENING_MS = 40000;
const EXAMPLE = 'http://192.168.1.20:8080/video';

const page = byId('cameras');
const isSecure = window.isSecureContext;
const shown = { list: null, opening: '', problem: '', address: '', codeUrls: [], version: 0 };
/** The last picture of each camera, by its key. */
const pictures = new Map();

/* What is drawn */

const SIGNS = {
  phone: html`<svg viewBox="0 0 40 40" aria-hidden="true"><rect x="12" y="4" width="16" height="32" rx="3" /><circle cx="20" cy="31" r="1.6" /></svg>`,
  browser: html`<svg viewBox="0 0 40 40" aria-hidden="true"><rect x="6" y="8" width="28" height="19" rx="2" /><path d="M3 32h34" /><circle cx="20" cy="11.5" r="1.4" /></svg>`,
};

function Picture({ camera }) {
  const isSeen = pictures.has(camera.key);
  return html`<span class="picture">
    ${camera.has_picture && html`<canvas class=${isSeen ? 'drawn' : ''} data-camera=${camera.key} ref=${(canvas) => canvas && paint(canvas, camera.key)}></canvas>`}
    ${!isSeen && (SIGNS[camera.kind] ?? html`<svg viewBox="0 0 40 40" aria-hidden="true"><path d="M5 13h7l3-4h10l3 4h7v18H5z" /><circle cx="20" cy="21" r="6" /></svg>`)}
  </span>`;
}

/** A long name of a film or an address goes on in the next line behind a sign, not within a word. */
const breakable = (title) => title.split(/(?<=[_.:/-])(?=\w)/).flatMap((part, number) => (number ? [html`<wbr />`, part] : part));

const Tile = ({ camera }) => html`<li><button type="button" class="camera" data-kind=${camera.kind} data-mark=${markOf(camera, shown.opening)} aria-pressed=${String(camera.is_on)} aria-disabled=${String(Boolean(shown.opening))} onClick=${() => choose(camera)}>
    <${Picture} camera=${camera} /><span class="title">${breakable(camera.title)}</span><span class="state">${stateOf(camera, shown.opening)}</span></button></li>`;

function Code() {
  const kind = askedFor(shown.list.cameras);
  if (kind === 'browser') return html`<section id="code"><p>${say('Open the camera’s window here, and leave it open.')}</p><a class="button strong" id="be-camera" href="/camera" target="_blank">${say('Open the window')}</a></section>`;
  if (kind !== 'phone') return null;
  const [url] = shown.codeUrls;
  return html`<section id="code"><img class="qr" src="/camera.svg" width="168" height="168" alt=${say('QR code of the phone’s page')} />
    <div><p><strong>${say('Scan this with the phone that is the camera.')}</strong></p>
    ${url && html`<p>${sayParts('Another device with a camera opens {address}', { address: html`<a href=${url} target="_blank">${url}</a>` })}</p>`}
    <p class="note"><a href="/https">${say('The phone warns you of the page? This helps.')}</a></p></div></section>`;
}

const Told = () => html`<p id="told" role="status" class=${shown.problem ? 'problem' : ''}>${shown.problem || shown.list.told}</p>`;

const Address = () => html`<form id="address" onSubmit=${useAddress}>
  <label for="address-field">${say('A camera in the network, by its address')}</label>
  <div><input id="address-field" class="name" type="text" inputmode="url" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="300" placeholder=${EXAMPLE} value=${shown.address} onInput=${(event) => (shown.address = event.target.value)} />
  <button type="submit">${say('Use it')}</button></div></form>`;

function Adjust() {
  const { mirrored, turned } = shown.list;
  return html`<section id="adjust" aria-label=${say('The picture in use')}>
    <button type="button" id="mirror" aria-pressed=${String(mirrored)} onClick=${() => adjust({ mirrored: !mirrored })}>${say('Mirror the picture')}</button>
    <button type="button" id="turn" onClick=${() => adjust({ turned: nextTurn(turned) })}>${turned ? say('Turn the picture ({degrees}°)', { degrees: turned }) : say('Turn the picture')}</button></section>`;
}

const Page = () => html`<${Told} /><${Code} /><ul class="cameras">${choosable(shown.list.cameras, isSecure).map((camera) => html`<${Tile} key=${camera.key} camera=${camera} />`)}</ul>
  <div class="further"><${Address} /><${Adjust} /></div>
  <p class="note">${say('To play a film as a camera, put it into {folder}; it is then listed here.', { folder: shown.list.recordings })}</p>`;

function draw() {
  if (!shown.list) return;
  page.classList.remove('waiting');
  shown.version += 1;
  render(html`<${Page} version=${shown.version} />`, page);
}

/* What is asked for */

/** Take in the list as the table has it now. */
function take(list) {
  shown.list = list;
  for (const key of [...pictures.keys()]) if (!list.cameras.some((camera) => camera.key === key)) pictures.delete(key);
}

/** Ask for a change and show what became of it; what is refused leaves all as it was. */
async function change(request, opening = '') {
  if (shown.opening) return;
  [shown.opening, shown.problem] = [opening, ''];
  draw();
  try {
    take(await request());
  } catch (error) {
    shown.problem = errorSentence(error);
  }
  shown.opening = '';
  draw();
  await follow();
}

const choose = (camera) => change(() => postJson('/api/cameras', { key: camera.key }, OPENING_MS), camera.key);
const adjust = (wanted) => change(() => postJson('/api/cameras/adjust', wanted));

function useAddress(event) {
  event.preventDefault();
  change(() => postJson('/api/cameras/address', { address: shown.address }, OPENING_MS), 'address');
}

function paint(canvas, key) {
  const picture = pictures.get(key);
  if (!picture || canvas.dataset.painted === String(picture.number)) return;
  [canvas.width, canvas.height] = [picture.image.width, picture.image.height];
  canvas.getContext('2d').drawImage(picture.image, 0, 0);
  canvas.dataset.painted = String(picture.number);
}

async function lookThrough({ key }) {
  try {
    const picture = await getPicture(`/cameras/${key}.jpg`);
    if (!picture.size) return;
    const image = await createImageBitmap(picture);
    pictures.get(key)?.image.close();
    pictures.set(key, { image, number: (pictures.get(key)?.number ?? 0) + 1 });
  } catch {
    pictures.delete(key);
  }
}

/** Ask for the list and for the picture of each camera. */
async function follow() {
  try {
    if (!shown.opening) take(await getJson('/api/cameras'));
    if (askedFor(shown.list.cameras) === 'phone' && !shown.codeUrls.length) shown.codeUrls = (await getJson('/api/camera').catch(() => ({ urls: [] }))).urls;
  } catch (error) {
    shown.problem = errorSentence(error);
  }
  draw();
  if (shown.list) await Promise.all(shown.list.cameras.filter((camera) => camera.has_picture).map(lookThrough));
  draw();
}

async function watch() {
  for (;;) {
    await untilVisible();
    const startedAt = performance.now();
    await follow();
    await sleep(Math.max(EVERY_MS - (performance.now() - startedAt), SOON_MS));
  }
}

watch();
