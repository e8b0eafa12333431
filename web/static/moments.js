// Half a second of a moment's own colour and motion over the page, once, with the first snapshot that has its calls. It stops no
// tap, and the next tap or key ends it.

import { h, svg } from './dom.js';
import { gameNumber } from './events.js';
import { say } from './say.js';
import { winnerTitle } from './table_view.js';

/**
 * @typedef {{game: string, called: number, scores: Record<number, number>} | null} MomentMemory the newest calls that
 *   were seen, of which game, and the scores then; null before the first snapshot, and after a while without any
 */

const WORDS = { stop: say('Stop!'), bust: say('Bust!'), vander: say('Off the table!'), 'come-in': say('In the game!'), 'last-round': say('Last turns!') };

/**
 * Return the moment to be shown now, and what to remember. Calls that were there when the page was opened or heard
 * from the table again show none, nor does what comes back when a step is taken back.
 * @param {MomentMemory} memory @param {any} snapshot @returns {{memory: MomentMemory, moment: {kind: string, words: string} | null}}
 */
export function nextMoment(memory, snapshot) {
  const { state, called, moment } = snapshot;
  const game = gameNumber(snapshot.extras.step ?? '');
  const scores = Object.fromEntries((state?.players ?? []).map(({ seat, score }) => [seat, score]));
  const isSame = memory !== null && memory.game === game;
  const isNew = isSame && called > memory.called;
  const now = { game, called: isSame ? Math.max(called, memory.called) : called, scores };
  return { memory: now, moment: isNew && moment ? { kind: moment, words: wordsOf(moment, state, memory.scores) } : null };
}

function wordsOf(kind, state, before) {
  if (kind === 'win') return winnerTitle(state);
  return WORDS[kind] ?? gainOf(state.players, before);
}

/** The most that a player gained, as `+450`. */
function gainOf(players, before) {
  const gain = Math.max(0, ...players.map(({ seat, score }) => score - (before[seat] ?? score)));
  return gain ? `+${gain}` : say('Yes!');
}

const LASTS_MS = 500;

/** @type {MomentMemory} */
let memory = null;
let shown = null;
let timer;

/** Show the moment that a snapshot brings, if it brings one. @param {any} snapshot @returns {void} */
export function showMoment(snapshot) {
  const next = nextMoment(memory, snapshot);
  memory = next.memory;
  if (next.moment && !document.hidden && !isStill()) stage(next.moment);
}

/** Show no moment of what the page did not see happen: it may be long ago. @returns {void} */
export function forgetMoments() {
  memory = null;
}

/** Show the moments that come after a snapshot, which is shown when the table is heard from again. @param {any} snapshot @returns {void} */
export function rememberMoments(snapshot) {
  memory ??= nextMoment(null, snapshot).memory;
}

const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

function stage({ kind, words }) {
  end();
  shown = h('div', { id: 'moment', class: kind, 'aria-hidden': 'true' },
    h('span', { class: 'moment-glow' }),
    h('span', { class: 'moment-symbol' }, momentSign(kind), momentSign(kind)),
    h('span', { class: 'moment-words' }, words));
  document.body.append(shown);
  timer = setTimeout(end, LASTS_MS);
  addEventListener('pointerdown', end, { capture: true, passive: true });
  addEventListener('keydown', end, { capture: true });
}

function end() {
  clearTimeout(timer);
  shown?.remove();
  shown = null;
  removeEventListener('pointerdown', end, { capture: true });
  removeEventListener('keydown', end, { capture: true });
}

const path = (d, fill = 'currentColor') => svg('path', { d, fill });
const stroke = (d, width = 9) => svg('path', { d, fill: 'none', stroke: 'currentColor', 'stroke-width': width, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' });
const die = (...inside) => [svg('rect', { x: 14, y: 14, width: 72, height: 72, rx: 16, fill: 'none', stroke: 'currentColor', 'stroke-width': 8 }), ...inside];

const SIGNS = {
  score: () => [svg('circle', { cx: 50, cy: 50, r: 42, fill: 'none', stroke: 'currentColor', 'stroke-width': 8 }), stroke('M30 52 45 67 71 35', 10)],
  stop: () => [path('M33 6h34l27 27v34L67 94H33L6 67V33z'), svg('path', { d: 'M34 34 66 66M66 34 34 66', stroke: '#fff', 'stroke-width': 11, 'stroke-linecap': 'round' })],
  bust: () => die(stroke('M52 12 42 34 58 46 40 62 52 88', 7)),
  vander: () => die(svg('circle', { cx: 36, cy: 36, r: 8, fill: 'currentColor' }), svg('circle', { cx: 64, cy: 64, r: 8, fill: 'currentColor' })),
  'come-in': () => [stroke('M56 14h26v72H56', 8), stroke('M12 50h46M40 30 60 50 40 70', 10)],
  'last-round': () => [stroke('M24 10v82', 8), path('M28 14h54L68 32l14 18H28z')],
  win: () => [path('M26 12h48v22a24 24 0 0 1-48 0z'), stroke('M26 20H12c0 18 6 24 18 26M74 20h14c0 18-6 24-18 26', 7), path('M44 56h12v16h14v14H30V72h14z')],
};

/** Draw the sign of a moment, so that colour is not all that tells it. @param {string} kind @returns {SVGElement | null} */
export const momentSign = (kind) => SIGNS[kind]
  ? svg('svg', { viewBox: '0 0 100 100', class: 'moment-sign', 'aria-hidden': 'true', focusable: 'false' }, ...SIGNS[kind]())
  : null;
