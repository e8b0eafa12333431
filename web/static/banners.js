// What stands over the instruction while it matters more: a lost connection, a camera in trouble, a question that waits.

import { postJson } from './api.js';
import { byId, h, redraw } from './dom.js';
import { say } from './say.js';
import { orShowError } from './toast.js';
import { mayDecide } from './viewer.js';

/** End the guided capture that the tray is lent to. */
const takeTrayBack = () => orShowError(postJson('/api/teaching/rise'));

/** Draw the banners, and the box's notices in the drawer. @param {{isLost: boolean, isLent: boolean, trouble: string, question: string, woke: string, worries: string[]}} view @param {(() => void) | null} askAgain null where questions are not answered @returns {void} */
export function drawBanners(view, askAgain) {
  const { isLost, isLent, trouble, question, woke, worries } = view;
  redraw(byId('banners'), { isLost, isLent, trouble, question, askAgain: Boolean(askAgain) }, () => [
    isLost && h('p', { class: 'banner lost', id: 'line-lost' }, h('strong', {}, say('The table does not answer.')), ' ', say('What you see may be old. Trying again …')),
    trouble && h('p', { class: 'banner trouble', id: 'camera-trouble', title: trouble }, h('strong', {}, say('Camera:')), ' ', trouble,
      isLent && askAgain && mayDecide() && h('button', { type: 'button', id: 'take-tray-back', 'data-key': 'take-tray-back', onclick: takeTrayBack }, say('Play on now'))),
    question && drawQuestion(question, askAgain),
  ]);
  redraw(byId('notices'), { woke, worries }, () => [
    woke && h('p', { class: 'banner restarted', id: 'restarted' }, woke),
    worries.map((worry) => h('p', { class: 'banner worry' }, worry)),
  ]);
  byId('open-done').classList.toggle('has-notices', worries.length > 0);
}

function drawQuestion(question, askAgain) {
  const words = [h('strong', {}, say('A question is waiting:')), ' ', question];
  return askAgain ? h('button', { type: 'button', class: 'banner asks', id: 'ask-again', onclick: askAgain }, h('span', {}, words)) : h('p', { class: 'banner asks' }, words);
}
