// A rule's number as a button that opens its text, and the way to the sheet of rules, which is loaded when it is wanted.

import { h, ruleTag } from './dom.js';
import { say } from './say.js';
import { rulesSheet } from './table_parts.js';

/** Draw the number of a rule as a button that opens its text; '' for no rule. @param {string} game @param {string} rule @returns {HTMLElement | string} */
export const ruleLink = (game, rule) => rule && h('button', { type: 'button', class: 'rule-link', 'data-key': `rule-${rule}`, 'aria-label': say('Rule {rule}: what it says', { rule }), onclick: () => openRules(game, rule) }, ruleTag(rule));

/** Open the rules of a game, at a rule. @param {string} game @param {string} rule @returns {Promise<void>} */
export const openRules = (game, rule = '') => rulesSheet.use((sheet) => sheet.showRules(game, rule));

/** Tell how a game is played, step by step. @param {string} game @returns {Promise<void>} */
export const openHowToPlay = (game) => rulesSheet.use((sheet) => sheet.showHowToPlay(game));
