// What stands over the instruction while it matters more: a lost connection, a camera in trouble, a question that waits, the hall's
// call; and the drawer of what was done.

import { getJson, mirrorBack, postJson } from './api.js';
import { byId, h, orShowError, redraw } from './dom.js';
import { fit } from './fit.js';
import { listed } from './format.js';
import { challenge, tableDialogs } from './late.js';
import { say } from './say.js';
import { isKeeper, mayDecide } from './viewer.js';

/* What the hall would have the table’s people know: a game that it would have played here */

const POLL_MS = 6000;

/** The table's hall as the API shows it; null where there is none. */
let link = null;

/** Return the game that the hall would have played here, with that game's title; null for none. @returns {any} */
export const invitation = () => (link?.invitation ? { ...link.invitation, game_title: link.game_title } : null);

/** Return true if phones can join in at this table. @returns {boolean} */
export const isOfHall = () => Boolean(link?.joined);

/** Ask again and again, and call `onChange` when the answer is another one. @param {() => void} onChange @returns {Promise<void>} */
export async function followHall(onChange) {
  const ask = async () => {
    if (document.hidden) return;
    const answer = await getJson('/api/hall-link').catch(() => link);
    if (JSON.stringify(answer) === JSON.stringify(link)) return;
    link = answer;
    onChange();
  };
  await ask();
  setInterval(ask, POLL_MS);
}

/* The history, in a drawer */

const TOLD_MS = 7000;
/** A long answer is written smaller, yet not under 12 px. */
const SMALLEST_TOLD = 0.64;

/** The game whose lines were seen, and the newest of them. */
let newest = { game: '', line: 0 };
let timer;

/** Draw what was done. @param {{sentences: string[], throws: number[]}} view @param {(snapshot: any) => void} onAnswered @returns {any} */
export function drawHistory({ sentences, throws }, onAnswered) {
  if (!sentences.length) return [];
  return [h('h3', {}, say('The game'), h('a', { class: 'to-fair-play', href: '/fair-play' }, say('Fair play'))), h('ol', {}, sentences.map((sentence, place) => h('li', {}, throws[place]
    ? h('button', { type: 'button', 'data-key': `throw-${throws[place]}`, 'aria-label': say('Look again: {sentence}', { sentence }), onclick: () => challenge.use(({ openChallenge }) => openChallenge(throws[place], onAnswered)) }, sentence)
    : sentence)))];
}

/** Let a new line flash at its fixed place for some seconds: what was there when the page was opened, or the table turned to a game, does not. @param {{number: number, sentence: string}[]} lines the newest first @param {string} game its number @returns {void} */
export function flashNewest([line], game) {
  const isSeen = game === newest.game && (line?.number ?? 0) > newest.line;
  newest = { game, line: line?.number ?? 0 };
  if (!isSeen) return;
  const element = byId('told');
  element.textContent = line.sentence;
  fit(element, SMALLEST_TOLD);
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

/* Banners */

const MIRRORED = say('The picture is mirrored: turn the mirror off.');

const isMirrored = (sentence) => sentence.includes(MIRRORED);

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
  if (wantsPhone && !isLent && mayAct) return h('button', { type: 'button', class: 'banner trouble', id: 'camera-trouble', title: trouble, onclick: showCameraCode }, h('span', {}, words, ' ', h('u', {}, say('Show the code'))));
  if (document.body.dataset.cameras && askAgain && isKeeper() && !isDrawn && !isLent && !isMirrored(trouble)) return h('a', { class: 'banner trouble', id: 'camera-trouble', title: trouble, href: '/cameras' }, words, ' ', h('u', {}, say('Choose a camera')));
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
