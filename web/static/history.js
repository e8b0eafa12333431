// What was done, in a drawer: the last steps of the game, where a throw opens its sheet; the newest line flashes by.

import { byId, h } from './dom.js';
import { say } from './say.js';
import { challenge } from './table_parts.js';

const TOLD_MS = 7000;

let newest = 0;
let timer;

/** Draw what was done. @param {{sentences: string[], throws: number[]}} view @param {(snapshot: any) => void} onAnswered @returns {any} */
export function drawHistory({ sentences, throws }, onAnswered) {
  if (!sentences.length) return [];
  return [h('h3', {}, say('The game'), h('a', { class: 'to-fair-play', href: '/fair-play' }, say('Fair play'))), h('ol', {}, sentences.map((sentence, place) => h('li', {}, throws[place]
    ? h('button', { type: 'button', 'data-key': `throw-${throws[place]}`, 'aria-label': say('Look again: {sentence}', { sentence }), onclick: () => challenge.use(({ openChallenge }) => openChallenge(throws[place], onAnswered)) }, sentence)
    : sentence)))];
}

/** Let a new line flash at its fixed place for some seconds: what was there when the page was opened does not. @param {{number: number, sentence: string}[]} lines the newest first @param {boolean} isFirst @returns {void} */
export function flashNewest(lines, isFirst) {
  const [line] = lines;
  if (!line || line.number <= newest) return;
  newest = line.number;
  if (isFirst) return;
  const element = byId('told');
  element.textContent = line.sentence;
  element.classList.add('up');
  clearTimeout(timer);
  timer = setTimeout(() => element.classList.remove('up'), TOLD_MS);
}

/** Let the drawer open and close. @returns {void} */
export function prepareDrawer() {
  const drawer = byId('done');
  byId('open-done').addEventListener('click', () => drawer.showModal());
  byId('close-done').addEventListener('click', () => drawer.close());
  drawer.addEventListener('click', (event) => event.target === drawer && drawer.close());
}
