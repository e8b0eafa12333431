// What two reports come to: the doctor's findings, and fair play. No DOM.

import { say, sayCount } from './say.js';

/** @typedef {{name: string, title: string, verdict: 'good' | 'unsure' | 'bad', told: string, advice: string, acceptable: boolean}} Finding */

/** Return the findings by verdict, worst first, with the worst verdict and the summary. @param {Finding[]} findings @returns {{worst: string, summary: string, poor: Finding[], good: Finding[]}} */
export function summarize(findings) {
  const [bad, unsure, good] = ['bad', 'unsure', 'good'].map((verdict) => findings.filter((finding) => finding.verdict === verdict));
  const worst = bad.length ? 'bad' : unsure.length ? 'unsure' : 'good';
  return { worst, summary: sentence(bad.length, unsure.length), poor: [...bad, ...unsure], good };
}

function sentence(bad, unsure) {
  const mended = bad && sayCount('{count} thing must be mended', '{count} things must be mended', bad);
  const better = unsure && sayCount('{count} thing could be better', '{count} things could be better', unsure);
  if (mended) return better ? say('{mended}, {better}.', { mended, better }) : `${mended}.`;
  return better ? say('It works; {better}.', { better }) : say('All is well.');
}

const SYMBOLS_OF_MARKS = {
  correction: 'pen',
  'take-back': 'back',
  answer: 'speech',
  'by-hand': 'tap',
  'as-they-lie': 'hand',
  agreement: 'speech',
  challenge: 'flag',
  breach: 'flag',
  hands: 'hand',
  unanswered: 'speech',
  blind: 'unseen',
  leaning: 'lean',
  'near-miss': 'away',
};

const FULL = 100;

/** Return the symbol of a mark. @param {string} mark @returns {string} */
export const symbolOfMark = (mark) => SYMBOLS_OF_MARKS[mark] ?? 'hand';

/** Return true if nothing but play happened. @param {any} game @returns {boolean} */
export const isCalm = ({ counts }) => !counts.length;

/** Return the name of the player whose turn it was, '' for nobody's. @param {any} game @param {any} turn @returns {string} */
export const playerOf = ({ players }, { seat }) => players[seat - 1] ?? '';

/** Return what happened in several games together, the commonest first. @param {any[]} games @returns {{title: string, count: number}[]} */
export function totalsOf(games) {
  const totals = new Map();
  for (const { title, count } of games.flatMap(({ counts }) => counts)) totals.set(title, (totals.get(title) ?? 0) + count);
  return [...totals].map(([title, count]) => ({ title, count })).sort((one, other) => other.count - one.count);
}

/** Return the bars: each count as a share of the largest, and the blind seconds last. @param {any} game @returns {any[]} */
export function barsOf({ counts, blind_s: blind }) {
  const most = Math.max(1, ...counts.map(({ count }) => count));
  const bars = counts.map((each) => ({ ...each, share: (FULL * each.count) / most, unit: '' }));
  return blind ? [...bars, { mark: 'blind', title: say('Seconds nobody saw the tray'), count: blind, share: Math.min(FULL, blind), unit: ' s' }] : bars;
}
