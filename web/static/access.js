// The door: who this browser is at the table, what a watcher may not tap, and the code for who wants to join in.

import { read } from './api.js';
import { h, redraw, toast } from './dom.js';
import { faceIcon } from './die_faces.js';
import { mayDecide } from './own_seat.js';

const LOOK_MS = 2500;
const REREAD = 'vander.reread';

/** What a tap decides, on all pages; who only watches is told the way in instead. */
const DECIDES = '#undo, #new-game, #first-game, #again, #ask-again, .taps button, .way, .die, .check button, .hands button, #handles button, #shelf button, #question button';

const role = () => document.body.dataset.role;

const WAY_IN = 'You are watching. Join in to decide.';
const KEEPERS = 'This is for the table’s keeper alone; a keeper can make your tablet one, too.';

addEventListener('click', (event) => {
  const tapped = (what) => event.target.closest?.(what);
  const barred = tapped('.barred');
  if (!barred && (mayDecide() || !tapped(DECIDES))) return;
  event.stopPropagation();
  event.preventDefault();
  toast(barred && mayDecide() ? KEEPERS : WAY_IN);
}, { capture: true });

/** A page that was opened from elsewhere came without the tablet's key, which is only sent from our own pages. */
function rereadAs(found) {
  if (found === role()) return forgetReread();
  if (reread()) return undefined;
  return location.replace(location.href);
}

function reread() {
  try {
    const before = sessionStorage.getItem(REREAD);
    sessionStorage.setItem(REREAD, 'once');
    return before !== null;
  } catch {
    return true; // a browser that keeps nothing could read it anew for ever
  }
}

function forgetReread() {
  try {
    sessionStorage.removeItem(REREAD);
  } catch {
    // nothing was kept
  }
}

/* The code, on the box's own screen and on the keepers' tablets */

const panel = h('aside', { id: 'knock', role: 'status', 'aria-label': 'A tablet asks to join in', hidden: true, popover: 'manual' });
let hidden = null;

const text = (code) => JSON.stringify(code);

function drawCode({ code, left_s: left }) {
  if (!code) return [];
  return [
    h('p', { class: 'asks' }, 'A tablet asks to join in. It types these dice:'),
    h('p', { class: 'code', role: 'img', 'aria-label': code.join(' ') }, code.map((face) => faceIcon(`pip-${face}`))),
    h('p', { class: 'digits' }, h('span', {}, code.join(' ')), ` · ${minutes(left)}`),
    h('button', { type: 'button', class: 'quiet', id: 'hide-code', onclick: hide }, 'Hide'),
  ];
}

const minutes = (seconds) => (seconds > 60 ? `${Math.ceil(seconds / 60)} minutes left` : 'less than a minute left');

function hide() {
  hidden = panel.dataset.code;
  showCode(null, 0);
}

function showCode(code, left) {
  const wanted = code && text(code) !== hidden ? code : null;
  panel.dataset.code = wanted ? text(wanted) : '';
  redraw(panel, { code: wanted, left_s: wanted ? Math.ceil(left / 60) * 60 : 0 }, drawCode);
  if (panel.hidden !== !wanted) raise(Boolean(wanted));
}

/** Above an open sheet too, where the browser can. */
function raise(up) {
  panel.hidden = !up;
  if (up) panel.showPopover?.();
  else panel.hidePopover?.();
}

/** Look at the door at once; keepers' pages go on looking. */
export async function look() {
  const found = await read('/api/door').catch(() => null);
  if (!found?.door) return found;
  rereadAs(found.role);
  showCode(found.code, found.asking.left_s);
  return found;
}

document.body.append(panel);
look();
setInterval(() => role() === 'keeper' && !document.hidden && look(), LOOK_MS);
document.addEventListener('visibilitychange', () => document.hidden || look());
addEventListener('pageshow', (event) => event.persisted && look());
