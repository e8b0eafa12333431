// What the doctor's findings come down to: the worst verdict, their order, and one sentence. No DOM.

import { counted } from './format.js';

/** @typedef {{name: string, title: string, verdict: 'good' | 'unsure' | 'bad', told: string, advice: string, acceptable: boolean}} Finding */

/** Return the findings by verdict, worst first, with the worst verdict and the summary. @param {Finding[]} findings @returns {{worst: string, summary: string, poor: Finding[], good: Finding[]}} */
export function summarize(findings) {
  const [bad, unsure, good] = ['bad', 'unsure', 'good'].map((verdict) => findings.filter((finding) => finding.verdict === verdict));
  const worst = bad.length ? 'bad' : unsure.length ? 'unsure' : 'good';
  return { worst, summary: sentence(bad.length, unsure.length), poor: [...bad, ...unsure], good };
}

function sentence(bad, unsure) {
  if (bad) return `${counted(bad, 'thing')} must be mended${unsure ? `, ${counted(unsure, 'thing')} could be better` : ''}.`;
  return unsure ? `It goes; ${counted(unsure, 'thing')} could be better.` : 'All is well.';
}
