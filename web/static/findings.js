// What the doctor's findings come down to: the worst verdict, their order, and one sentence. No DOM.

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
