// What stands over the instruction while it matters more: a lost connection, a camera in trouble, a question that waits.

import { postJson } from './api.js';
import { isMirrored, mirrorBack } from './cameras/mirror_back.js';
import { byId, h, redraw } from './dom.js';
import { listed } from './format.js';
import { say } from './say.js';
import { tableDialogs } from './table_parts.js';
import { orShowError } from './toast.js';
import { isKeeper, mayDecide } from './viewer.js';

/** End the guided capture that the tray is lent to. */
const takeTrayBack = () => orShowError(postJson('/api/teaching/rise'));

const showCameraCode = () => tableDialogs.use(({ openCameraCode }) => openCameraCode());

/** Draw the banners, and the box's notices in the drawer. @param {{isLost: boolean, isLent: boolean, trouble: string, question: string, woke: string, worries: string[], wantsPhone: boolean, isDrawn: boolean}} view @param {(() => void) | null} askAgain null where questions are not answered @param {{call: any, take: () => void} | null} called the game that a hall would have played here @returns {void} */
export function drawBanners(view, askAgain, called = null) {
  const { isLost, isLent, trouble, question, woke, worries, wantsPhone, isDrawn } = view;
  redraw(byId('banners'), { isLost, isLent, trouble, question, wantsPhone, isDrawn, askAgain: Boolean(askAgain), call: called?.call }, () => [
    isLost && h('p', { class: 'banner lost', id: 'line-lost' }, h('strong', {}, say('The table does not answer.')), ' ', say('What you see may be old. Trying again …')),
    trouble && drawTrouble(view, askAgain),
    question && drawQuestion(question, askAgain),
    called && drawInvitation(called),
  ]);
  redraw(byId('notices'), { woke, worries }, () => [
    woke && h('p', { class: 'banner restarted', id: 'restarted' }, woke),
    worries.map((worry) => h('p', { class: 'banner worry' }, worry)),
  ]);
  byId('open-done').classList.toggle('has-notices', worries.length > 0);
}

/** Draw what is wrong with the camera; where a phone is to be it, a tap shows the code that it scans, else a keeper's tap leads to the list of cameras. */
function drawTrouble({ trouble, isLent, wantsPhone, isDrawn }, askAgain) {
  const words = [h('strong', {}, say('Camera:')), ' ', trouble];
  const mayAct = askAgain && mayDecide();
  const cameras = /** @type {HTMLAnchorElement | null} */ (document.querySelector('#to-cameras'));
  if (wantsPhone && !isLent && mayAct) return h('button', { type: 'button', class: 'banner trouble', id: 'camera-trouble', title: trouble, onclick: showCameraCode }, h('span', {}, words, ' ', h('u', {}, say('Show the code'))));
  if (cameras && askAgain && isKeeper() && !isDrawn && !isLent && !isMirrored(trouble)) return h('a', { class: 'banner trouble', id: 'camera-trouble', title: trouble, href: cameras.href }, words, ' ', h('u', {}, say('Choose a camera')));
  return h('p', { class: 'banner trouble', id: 'camera-trouble', title: trouble }, words,
    isLent && mayAct && h('button', { type: 'button', id: 'take-tray-back', 'data-key': 'take-tray-back', onclick: takeTrayBack }, say('Play on now')),
    isMirrored(trouble) && isKeeper() && h('button', { type: 'button', id: 'mirror-back', 'data-key': 'mirror-back', onclick: () => orShowError(mirrorBack()) }, say('Turn the picture round')));
}

function drawQuestion(question, askAgain) {
  const words = [h('strong', {}, say('A question is waiting:')), ' ', question];
  return askAgain ? h('button', { type: 'button', class: 'banner asks', id: 'ask-again', onclick: askAgain }, h('span', {}, words)) : h('p', { class: 'banner asks' }, words);
}

/** Draw the game that the hall calls to this table; a tap opens the dialog of a new game with it, and starts nothing. */
function drawInvitation({ call, take }) {
  const words = h('span', {}, h('strong', {}, `${listed(call.players)}:`), ' ', `${call.game_title}, `, call.title);
  return mayDecide() ? h('button', { type: 'button', class: 'banner asks', id: 'invitation', onclick: take }, words) : h('p', { class: 'banner asks', id: 'invitation' }, words);
}
