// What a question does not cover: the ways out of it that the table's menu has while nothing is asked.

import { h } from './dom.js';
import { say } from './say.js';

/**
 * @typedef {{canUndo: boolean, undo: () => void, agree: () => void, newGame: () => void}} TableMenu
 */

/** Draw the menu in place of the question. @param {TableMenu} menu @param {() => void} back @returns {HTMLElement} */
export function drawQuestionMenu({ canUndo, undo, agree, newGame }, back) {
  return h('div', { class: 'inside question-menu' },
    h('h2', { id: 'question-title' }, say('Menu')),
    h('p', {}, say('The question waits until you are back.')),
    h('div', { class: 'option-buttons' },
      h('button', { type: 'button', class: 'option-button', id: 'menu-undo', disabled: !canUndo, onclick: undo }, say('Take back the last step')),
      h('button', { type: 'button', class: 'option-button', id: 'menu-agree', onclick: agree }, say('Somebody leaves, or a throw does not count')),
      h('button', { type: 'button', class: 'option-button', id: 'menu-new-game', onclick: newGame }, say('New game'))),
    h('button', { type: 'button', class: 'main', id: 'back-to-question', 'data-key': 'menu', onclick: back }, say('Back to the question')));
}
