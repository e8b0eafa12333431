// Films and pictures of the tray: a film played picture by picture, the tray with rings around dice, and before and after.

import { getBytes, getJson } from './api.js';
import { h, svg } from './dom.js';
import { locale, say, sayCount } from './say.js';

/* The file of a film, as vander/storage/film_store.py writes it */

const MAGIC = 'VANDER FILM 1\n';

/**
 * Read a film. Throws RangeError or SyntaxError for bytes that are none.
 * @param {ArrayBuffer} contents
 * @returns {{times: number[], before: number, pictures: Uint8Array[]}} when each picture was taken, in seconds from the first; the index of the picture of the ruling before
 */
export function readFilm(contents) {
  const head = new DataView(contents);
  const magic = new TextDecoder().decode(new Uint8Array(contents, 0, MAGIC.length));
  if (magic !== MAGIC) throw new RangeError('no film');
  const began = MAGIC.length + 8;
  const length = head.getUint32(MAGIC.length);
  const { times, sizes, before } = JSON.parse(new TextDecoder().decode(new Uint8Array(contents, began, length)));
  let at = began + length;
  const pictures = sizes.map((size) => new Uint8Array(contents, (at += size) - size, size));
  return { times: times.map((time) => time - times[0]), before, pictures };
}

/** Return the picture that is shown so long after another one; the last one stays. @param {number[]} times @param {number} from its index @param {number} elapsed seconds of the film @returns {number} */
export function pictureAfter(times, from, elapsed) {
  let place = from;
  while (place + 1 < times.length && times[place + 1] <= times[from] + elapsed) place += 1;
  return place;
}

/* The player */

const SLOW = 0.25;
const JPEG = { type: 'image/jpeg' };
const seconds = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/**
 * Return a player; `load` fetches the film at an address, `play` shows its last seconds, `stop` ends it, `ring` marks a die in the last pictures.
 * @returns {{element: HTMLElement, load: (url: string) => Promise<boolean>, play: (seconds: number) => void, stop: () => void, ring: (ring: any) => void, showPicture: (place: number) => void}}
 */
export function filmPlayer() {
  const canvas = /** @type {HTMLCanvasElement} */ (h('canvas', { class: 'film-picture', width: 320, height: 240, role: 'img', 'aria-label': say('The film of the throw') }));
  const marks = ringLayer();
  const position = /** @type {HTMLInputElement} */ (h('input', { type: 'range', min: 0, max: 0, value: 0, step: 1, 'aria-label': say('Place in the film'), oninput: () => jump(Number(position.value)) }));
  const clock = h('span', { class: 'film-clock' });
  const playButton = h('button', { type: 'button', class: 'film-play', onclick: () => toggle(1) }, say('Play'));
  const slowButton = h('button', { type: 'button', onclick: () => toggle(SLOW) }, say('Slow'));
  let film = { times: [0], before: 0, pictures: [] };
  let place = 0;
  let shown = 0;
  let timer = 0;
  let marked = null;

  async function show(next) {
    place = next;
    const turn = (shown += 1);
    const image = await createImageBitmap(new Blob([film.pictures[place]], JPEG)).catch(() => null);
    if (!image || turn !== shown) return;
    if (canvas.width !== image.width || canvas.height !== image.height) Object.assign(canvas, { width: image.width, height: image.height });
    canvas.getContext('2d')?.drawImage(image, 0, 0);
    canvas.dataset.place = String(place);
    position.value = String(place);
    clock.textContent = `${seconds.format(film.times[place] - film.times[film.times.length - 1])} s`;
    drawRing();
  }

  const isAtEnd = () => place === film.pictures.length - 1;

  function drawRing() {
    marks.replaceChildren(...(marked && isAtEnd() ? [ringAt(marked, canvas.width / canvas.height)] : []));
  }

  function toggle(speed) {
    if (timer) return stop();
    if (isAtEnd()) place = 0;
    const [from, began] = [place, performance.now()];
    playButton.textContent = say('Pause');
    const next = () => {
      show(pictureAfter(film.times, from, ((performance.now() - began) / 1000) * speed));
      if (isAtEnd()) stop();
      else timer = requestAnimationFrame(next);
    };
    timer = requestAnimationFrame(next);
    return undefined;
  }

  function play(wanted) {
    stop();
    const last = film.times.length - 1;
    place = film.times.findIndex((time) => time >= film.times[last] - wanted);
    if (place < last) toggle(1);
  }

  function stop() {
    cancelAnimationFrame(timer);
    timer = 0;
    playButton.textContent = say('Play');
  }

  function jump(next) {
    stop();
    if (film.pictures[next]) show(next);
  }

  async function load(url) {
    try {
      film = readFilm(await getBytes(url));
    } catch {
      return false;
    }
    position.max = String(film.pictures.length - 1);
    await show(film.pictures.length - 1);
    return film.pictures.length > 0;
  }

  const element = h('figure', { class: 'film' },
    h('div', { class: 'film-screen' }, canvas, marks), position,
    h('div', { class: 'film-buttons' },
      h('button', { type: 'button', 'aria-label': say('One picture back'), class: 'film-back', onclick: () => jump(place - 1) }, '‹'),
      playButton, slowButton,
      h('button', { type: 'button', 'aria-label': say('One picture on'), class: 'film-on', onclick: () => jump(place + 1) }, '›'),
      clock));
  const ring = (at) => {
    marked = at;
    if (at && film.pictures.length) jump(film.pictures.length - 1);
    drawRing();
  };
  return { element, load, play, stop, ring, showPicture: jump };
}

/** Draw a ring around a die: fractions of a picture with that aspect, in an SVG of 100 by 100. */
function ringAt({ x, y, edge }, aspect) {
  const reach = edge * 95;
  return svg('ellipse', { cx: x * 100, cy: y * 100, rx: reach, ry: reach * aspect, class: 'ring', 'vector-effect': 'non-scaling-stroke' });
}

/* Pictures of the tray */

const ringLayer = () => svg('svg', { class: 'rings', viewBox: '0 0 100 100', preserveAspectRatio: 'none', 'aria-hidden': 'true' });

/** Draw a picture with rings, which need its shape; the next picture has its room before it is there. */
function ringed(src, alt, rings, onerror) {
  const marks = ringLayer();
  const draw = ({ target: { naturalWidth, naturalHeight } }) => {
    document.documentElement.style.setProperty('--tray-shape', String(naturalWidth / naturalHeight));
    marks.replaceChildren(...rings.map((ring) => ringAt(ring, naturalWidth / naturalHeight)));
  };
  return h('div', { class: 'film-screen' }, h('img', { src, alt, onload: draw, onerror }), marks);
}

/** Draw the tray with its rings; it goes where the picture is not kept any more. @param {string} src its address @param {any[]} rings @returns {HTMLElement} */
export function drawTray(src, rings) {
  const told = rings.length ? sayCount('The tray, with a ring around one die', 'The tray, with rings around {count} dice', rings.length) : say('The tray');
  const figure = h('figure', { class: 'tray-shot' }, ringed(src, told, rings, () => figure.remove()));
  return figure;
}

/** Return the two pictures, or null where there are none to compare. @param {string} name the name of the breach's picture @returns {Promise<HTMLElement | null>} */
export async function drawBeforeAfter(name) {
  const found = await getJson(`/api/breach?${new URLSearchParams({ name })}`).catch(() => null);
  if (!found?.before || !found.changes.length) return null;
  return h('div', { class: 'before-after' },
    drawRinged(say('Before'), found.before, found.changes.map(({ before }) => before)),
    drawRinged(say('After'), found.after, found.changes.map(({ after }) => after)),
    h('p', { class: 'changes' }, found.changes.map(({ sentence }) => sentence).join(' ')));
}

const drawRinged = (title, src, rings) => h('figure', {}, ringed(src, say('The tray: {when}', { when: title }), rings.filter(Boolean), () => {}), h('figcaption', {}, title));

/* “Show me”: what moved before a question was asked */

/** Seconds of the film that are played by themselves: a throw and the hand before it. */
const PLAYED_S = 5;
const STILL = '(prefers-reduced-motion: reduce)';

/** What is shown of the question of that number, so that another snapshot does not begin the film again. @type {{number: number | null, element: HTMLElement | null, stop: () => void}} */
let shown = { number: null, element: null, stop: () => {} };

/** Stop the film that is shown. @returns {void} */
export function stopShowing() {
  shown.stop();
  shown = { number: null, element: null, stop: () => {} };
}

/** Return what there is to see of a question; it fills as it comes, and `other` stands there until then, and where nothing comes. @param {number} number @param {HTMLElement} other @returns {HTMLElement} */
export function drawShown(number, other) {
  if (shown.number === number && shown.element) return shown.element;
  const element = h('div', { class: 'show-me' }, other);
  shown = { number, element, stop: () => {} };
  getJson(`/api/question?${new URLSearchParams({ number: String(number) })}`).then((found) => fill(element, found)).catch(() => {});
  return element;
}

async function fill(element, { film, before, after }) {
  const player = film ? filmPlayer() : null;
  const isFilmed = player && await player.load(film);
  if (shown.element !== element) return;
  const pair = before && after ? h('div', { class: 'tray-pair' }, drawSide(say('Before'), before), drawSide(say('Now'), after)) : null;
  if (isFilmed || pair) element.replaceChildren(...[isFilmed && player.element, pair].filter(Boolean));
  if (!isFilmed) return;
  shown.stop = player.stop;
  if (!matchMedia(STILL).matches) player.play(PLAYED_S);
}

function drawSide(title, { src, rings }) {
  const figure = drawTray(src, rings);
  figure.append(h('figcaption', {}, title));
  return figure;
}
