// "Show me": what moved before a question was asked, as a film; and the tray before and after, with the dice in question ringed.

import { getJson } from './api.js';
import { h } from './dom.js';
import { filmPlayer } from './film_player.js';
import { say } from './say.js';
import { drawTray } from './tray_picture.js';

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
