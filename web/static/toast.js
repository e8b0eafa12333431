// A toast: one sentence at the foot of the page for a few seconds. Also how a failed request is shown.

import { byId, h, ruleTag } from './dom.js';
import { say } from './say.js';

const SHOWN_MS = 7000;
const SERVERS = { table: say('The table did not answer. Try again in a moment.'), box: say('The box did not answer. Try again in a moment.') };

const element = byId('toast');
let timer;

/** Show a sentence at the foot of the page, above an open dialog too. @param {string} sentence @param {string} rule @returns {void} */
export function toast(sentence, rule = '') {
  (document.querySelector('dialog[open]') ?? document.body).append(element);
  element.replaceChildren(h('p', {}, sentence, ' ', ruleTag(rule)));
  element.classList.add('up');
  clearTimeout(timer);
  timer = setTimeout(() => element.classList.remove('up'), SHOWN_MS);
}

/** Return the sentence of a failed request. @param {Error} error @param {'table' | 'box'} server @returns {string} */
export const errorSentence = (error, server = 'table') => error.message || SERVERS[server];

/** Show a failed request as a toast. @param {any} error an ApiError @param {'table' | 'box'} server @returns {void} */
export const toastError = (error, server = 'table') => toast(errorSentence(error, server), error.rule);

/**
 * Resolve to what was requested, or to null after a failure, which `show` shows: a toast by default.
 * @template T @param {Promise<T>} request @param {(error: any) => void} show @returns {Promise<T | null>}
 */
export async function orShowError(request, show = toastError) {
  try {
    return await request;
  } catch (error) {
    show(error);
    return null;
  }
}
