// The calls of a tournament on a screen across the room: as large as all names fit, on pages that turn where there are many.

import { keepScreenOn } from '../display.js';
import { byId } from '../dom.js';
import { TurningPages, gridOf, pagesOf } from './hall_parts.js';
import { followTournament, main } from './tournament_feed.js';

/** Below this width, in pixels, the calls are a list that scrolls; as in tournament.css. */
const LIST_BELOW = 701;
const SMALLEST_PX = 14;
const SMALLEST_STEP_PX = 0.5;
/** The largest letters, as a part of the smaller side of the screen. */
const LARGEST = 0.16;

/** The calls, none where a winner or the standings are shown. @returns {HTMLElement | null} */
const calls = () => main().querySelector('.now');

/** @param {HTMLElement} one */
const isCut = (one) => one.scrollHeight > one.clientHeight + 1 || [...one.children].some((line) => line.scrollWidth > line.clientWidth + 1);

/** Write the shown calls as large as they fit. @param {HTMLElement} list @param {HTMLElement[]} shown */
function fitLetters(list, shown) {
  const write = (size) => list.style.setProperty('--size', `${size}px`);
  const fits = (size) => (write(size), !shown.some(isCut));
  let [small, large] = [SMALLEST_PX, Math.min(innerWidth, innerHeight) * LARGEST];
  if (fits(large)) return;
  while (large - small > SMALLEST_STEP_PX) {
    const middle = (small + large) / 2;
    if (fits(middle)) small = middle;
    else large = middle;
  }
  write(small);
}

function show() {
  const list = calls();
  if (!list) return pages.pageOf(1, byId('pager'));
  const all = /** @type {HTMLElement[]} */ ([...list.children]);
  const isList = innerWidth < LIST_BELOW;
  const { clientWidth: width, clientHeight: height } = list;
  const most = gridOf(all.length, width, height);
  const shown = pagesOf(all, isList ? all.length : most.columns * most.rows);
  const page = shown[pages.pageOf(shown.length, byId('pager'))];
  for (const one of all) one.hidden = !page.includes(one);
  const { columns, rows } = gridOf(shown[0].length, width, height);
  list.style.setProperty('--columns', String(columns));
  list.style.setProperty('--rows', String(rows));
  if (isList) list.style.removeProperty('--size');
  else fitLetters(list, page);
  return page;
}

const pages = new TurningPages(show);

followTournament(show);
keepScreenOn(true);
addEventListener('resize', show);
void document.fonts.ready.then(show);
