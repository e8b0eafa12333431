// The page's modal dialog: something to look at, a confirmation, or content that follows the table while it is open.

import { AnswerOrder, getJson } from './api.js';
import { byId, h, toastError } from './dom.js';
import { say } from './say.js';

/** The server's Retry-After counts whole seconds; most answers are there sooner. */
const UNDER_WAY_MS = 300;

const dialog = byId('dialog');

/** Fetches and draws the content of the open dialog; null where its content does not change. */
let refresh = null;
let refreshedFor = null;
let retry;

/** Close the dialog. @returns {void} */
export function closeDialog() {
  refresh = null; // at once: the close event comes later, and an answer under way would open the dialog again
  dialog.close();
}

dialog?.addEventListener('click', (event) => event.target === dialog && closeDialog());
dialog?.addEventListener('close', () => (refresh = null));

/** Open the dialog with this content. @param {...any} children @returns {void} */
export function openDialog(...children) {
  refresh = null;
  fillDialog(...children);
}

/** Replace the content, and go on refreshing it. @param {...any} children @returns {void} */
export function fillDialog(...children) {
  dialog.replaceChildren(h('div', { class: 'inside' }, ...children));
  if (!dialog.open) dialog.showModal();
}

/**
 * Open the dialog with the answer of an API endpoint, which is fetched again with every snapshot. An answer that is
 * under way is asked for again and again; `drawWaiting` draws the dialog until the first one is there.
 * @param {string} url @param {(answer: any) => void} draw @param {() => void} drawWaiting @returns {void}
 */
export function openLiveDialog(url, draw, drawWaiting = () => {}) {
  let isWaiting = false;
  const order = new AnswerOrder();
  const fetchAndDraw = async () => {
    const answer = await order.look(getJson(url).catch((error) => error));
    if (!answer || refresh !== fetchAndDraw) return;
    if (!(answer instanceof Error)) {
      isWaiting = false;
      draw(answer);
    } else if (answer.isUnderWay) {
      if (!dialog.open) {
        isWaiting = true;
        drawWaiting();
      }
      clearTimeout(retry);
      retry = setTimeout(() => refresh === fetchAndDraw && fetchAndDraw(), UNDER_WAY_MS);
    } else {
      if (isWaiting) closeDialog();
      toastError(answer);
    }
  };
  refresh = fetchAndDraw;
  fetchAndDraw();
}

/** Fetch the content of a live dialog again, if the snapshot is another one. @param {number} number @returns {void} */
export function refreshDialog(number) {
  if (refresh && number !== refreshedFor) refresh();
  refreshedFor = number;
}

/** Call a function whenever the dialog closes. @param {() => void} act @returns {void} */
export const onDialogClose = (act) => dialog?.addEventListener('close', act);

/** Return true if the dialog is open. @returns {boolean} */
export const isDialogOpen = () => dialog.open;

/** Return the dialog's heading. @param {string} text @returns {HTMLElement} */
export const dialogTitle = (text) => h('h2', { id: 'dialog-title' }, text);

/** Return a button that closes the dialog. @param {string} text @returns {HTMLElement} */
export const closeButton = (text) => h('button', { type: 'button', class: 'quiet', onclick: closeDialog }, text);

/** Ask for confirmation before something grave. @param {string} question @param {string} detail @param {string} yes @param {() => any} act @returns {void} */
export function confirmDialog(question, detail, yes, act) {
  const confirmed = async () => {
    closeDialog();
    await act();
  };
  openDialog(
    dialogTitle(question),
    detail && h('p', {}, detail),
    h('div', { class: 'pair' }, closeButton(say('No, go back')), h('button', { type: 'button', class: 'grave', id: 'sure', onclick: confirmed }, yes)),
  );
}
