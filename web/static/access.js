// Access control in the page: what a watcher may not tap, a role that has changed, and the pairing code's panel.

import { getJson } from './api.js';
import { faceIcon } from './die_faces.js';
import { byId, h, redraw, toast } from './dom.js';
import { timeLeft } from './format.js';
import { say, sayParts } from './say.js';
import { isKeeper, load, mayDecide, role, store } from './viewer.js';

const POLL_MS = 2500;
const RELOADED = 'vander.reread';

/** Everything that decides something when tapped, on all pages. */
const DECIDING = '#undo, #agree, #new-game, #first-game, #again, #ask-again, .taps button, .option-button, .die, .check button, .hands button, #handles button, #shelf button, #question button';

addEventListener('click', (event) => {
  const target = /** @type {Element} */ (event.target);
  if (mayDecide() || !target.closest?.(DECIDING)) return;
  event.stopPropagation();
  event.preventDefault();
  toast(say('You are watching. Join in to decide.'));
}, { capture: true });

/** Reload the page once if the server knows another role: a link from another site opens it without the tablet's key. */
function reloadIfRoleChanged(known) {
  if (known === role()) {
    store('sessionStorage', RELOADED, null);
    return;
  }
  const reloaded = load('sessionStorage', RELOADED) !== null;
  // A browser that stores nothing would reload for ever.
  if (!reloaded && store('sessionStorage', RELOADED, 'once')) location.replace(location.href);
}

/* The pairing code, on the box's own screen and on the keepers' tablets */

const HIDDEN_CODE = 'vander.code.hidden';

/** A strip under the page, which covers nothing; large where somebody lets a tablet in, or wants to scan the code. */
const panel = h('aside', { id: 'code-panel', role: 'status', 'aria-label': say('Join in'), hidden: true, popover: 'manual' });
let isLarge = byId('box-page') !== null;

function drawCode({ code, left_s: left }) {
  if (!code) return [];
  return [
    h('p', { class: 'asks' }, say('Join in with these dice:')),
    h('p', { class: 'code', role: 'img', 'aria-label': code.join(' ') }, code.map((face) => faceIcon(`pip-${face}`))),
    h('p', { class: 'digits' }, h('span', {}, code.join(' ')), h('small', {}, ` · ${timeLeft(left)}`)),
    isLarge ? drawScan(code) : h('button', { type: 'button', class: 'quiet', id: 'scan-code', onclick: () => enlarge(code, left) }, say('Scan')),
    h('button', { type: 'button', class: 'quiet', id: 'hide-code', onclick: () => hideCode(code) }, say('Hide')),
  ];
}

function enlarge(code, left) {
  isLarge = true;
  showCode(code, left);
}

/** The same code to be scanned, and the address to be typed; an old page of another machine has neither. */
function drawScan(code) {
  const scan = h('div', { class: 'scan' });
  getJson('/api/addresses').catch(() => null).then((answer) => answer && scan.replaceChildren(...drawAddresses(answer.urls, code.join(''))));
  return scan;
}

function drawAddresses(urls, code) {
  if (!urls.length) return [h('p', {}, say('Only this machine can open the page. Start Vander with VANDER_HOST=0.0.0.0 to let phones in.'))];
  return [
    h('img', { class: 'qr', src: `/join.svg?${code}`, width: 168, height: 168, alt: say('QR code that joins in at {address}', { address: urls[0] }) }),
    h('p', {}, sayParts('Scan this with the phone’s camera, or open {address} there.', { address: h('strong', {}, urls[0]) })),
  ];
}

/** Hide the code on all pages of this browser, until there is another one. */
function hideCode(code) {
  store('localStorage', HIDDEN_CODE, code.join(''));
  showCode(null, 0);
}

function showCode(code, left) {
  const wanted = code && code.join('') !== load('localStorage', HIDDEN_CODE) ? code : null;
  redraw(panel, { code: wanted, isLarge, left_s: wanted ? Math.ceil(left / 60) * 60 : 0 }, drawCode);
  panel.hidden = !wanted;
  if (wanted && isLarge) panel.showPopover?.(); // above an open dialog too
  else panel.hidePopover?.();
}

/** Fetch this browser's access and show the code if there is one. @returns {Promise<any>} what the API answers, or null */
export async function refreshAccess() {
  const access = await getJson('/api/door').catch(() => null);
  if (!access?.door) return access;
  reloadIfRoleChanged(access.role);
  showCode(access.code, access.asking.left_s);
  return access;
}

document.body.append(panel);
refreshAccess();
setInterval(() => isKeeper() && !document.hidden && refreshAccess(), POLL_MS);
document.addEventListener('visibilitychange', () => document.hidden || refreshAccess());
addEventListener('pageshow', (event) => event.persisted && refreshAccess());
