// Plays a film picture by picture: at its own pace, slowly, or step by step.

import { getBytes } from './api.js';
import { h, svg } from './dom.js';
import { pictureAfter, readFilm } from './film_format.js';
import { locale, say } from './say.js';

const SLOW = 0.25;
const JPEG = { type: 'image/jpeg' };
const seconds = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/**
 * Return a player; `load` fetches the film at an address, `play` shows its last seconds, `stop` ends it, `ring` marks a die in the last pictures.
 * @returns {{element: HTMLElement, load: (url: string) => Promise<boolean>, play: (seconds: number) => void, stop: () => void, ring: (ring: any) => void, showPicture: (place: number) => void}}
 */
export function filmPlayer() {
  const canvas = /** @type {HTMLCanvasElement} */ (h('canvas', { class: 'film-picture', width: 320, height: 240, role: 'img', 'aria-label': say('The film of the throw') }));
  const marks = svg('svg', { class: 'rings', viewBox: '0 0 100 100', preserveAspectRatio: 'none', 'aria-hidden': 'true' });
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

/** Draw a ring around a die: fractions of a picture with that aspect, in an SVG of 100 by 100. @param {any} ring @param {number} aspect @returns {SVGElement} */
export function ringAt({ x, y, edge }, aspect) {
  const reach = edge * 95;
  return svg('ellipse', { cx: x * 100, cy: y * 100, rx: reach, ry: reach * aspect, class: 'ring', 'vector-effect': 'non-scaling-stroke' });
}
