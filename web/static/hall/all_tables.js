// All tables of the hall on one screen, live; more than it holds are on pages that turn by themselves.

import { byId } from '../dom.js';
import { html, render } from '../html.js';
import { say } from '../say.js';
import { keepScreenOn } from '../wake_lock.js';
import { followHall } from './hall_feed.js';
import { TroubleSigns } from './table_signs.js';
import { LIST_BELOW, cardView, gridOf, hallWords, pageAfterKey, pagesOf } from './tables_view.js';

const TURN_MS = 12000;

const cards = byId('cards');
let tables = [];
let isLost = false;
let page = 0;
let isTurning = true;
let turnedAt = Date.now();

function Seat({ seat }) {
  const classes = ['seat', seat.acts && 'acts', seat.won && 'won'].filter(Boolean).join(' ');
  return html`<li class=${classes} aria-current=${seat.acts ? 'true' : null}><span class="name">${seat.name}</span><strong>${seat.score ?? ''}</strong></li>`;
}

function Card({ table }) {
  const { kind, foot, seats, crowd } = cardView(table);
  return html`<li class=${`table-card ${kind} ${crowd}`} data-number=${table.number}><a href=${`/tables/${table.number}`}>
    <h2><span>${table.name}</span><${TroubleSigns} troubles=${table.troubles} /></h2>
    ${kind !== 'quiet' && html`<p class="game">${table.game.title}</p>
    <ol class="seats">${seats.map((seat) => html`<${Seat} key=${seat.seat} seat=${seat} />`)}</ol>`}
    <p class="foot">${foot}</p>
  </a></li>`;
}

const isList = () => innerWidth < LIST_BELOW;

function Pager({ count }) {
  if (count < 2) return null;
  return html`<button type="button" class="quiet" id="turning" aria-pressed=${String(!isTurning)} aria-label=${isTurning ? say('Stay on this page') : say('Turn the pages')} onClick=${() => turnOn(!isTurning)}>
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${isTurning ? 'M8 5v14M16 5v14' : 'M8 5v14l11-7z'} fill=${isTurning ? 'none' : 'currentColor'} stroke="currentColor" stroke-width="3" /></svg></button>
    ${Array.from({ length: count }, (_, place) => html`<button type="button" class="quiet dot" key=${place} aria-label=${say('Page {page} of {count}', { page: place + 1, count })} aria-current=${place === page ? 'page' : null} onClick=${() => goTo(place)} />`)}`;
}

/** Where the cards stand: what is left of the screen under the head, without the row of the pager. */
function roomOf() {
  const { clientWidth, clientHeight } = byId('all-tables');
  return { width: clientWidth, height: clientHeight };
}

function show() {
  const { width, height } = roomOf();
  const grid = isList() ? { columns: 1, rows: Math.max(1, tables.length) } : gridOf(tables.length, width, height);
  const pages = pagesOf(tables, isList() ? tables.length : grid.columns * grid.rows);
  page = Math.min(page, pages.length - 1);
  cards.style.setProperty('--columns', String(grid.columns));
  cards.style.setProperty('--rows', String(grid.rows));
  render(tables.length ? pages[page].map((table) => html`<${Card} key=${table.number} table=${table} />`) : html`<li class="none">${say('No table has joined the hall.')}</li>`, cards);
  render(html`<${Pager} count=${pages.length} />`, byId('pager'));
  byId('all-tables').classList.toggle('paged', pages.length > 1);
  byId('hall-state').textContent = isLost ? say('The hall does not answer.') : hallWords(tables);
  byId('hall-state').classList.toggle('problem', isLost);
  return pages.length;
}

function goTo(wanted) {
  page = wanted;
  isTurning = false;
  show();
}

function turnOn(turning) {
  isTurning = turning;
  turnedAt = Date.now();
  show();
}

function turn() {
  if (!isTurning || document.hidden || Date.now() - turnedAt < TURN_MS) return;
  turnedAt = Date.now();
  const count = show();
  if (count < 2) return;
  page = (page + 1) % count;
  show();
}

document.addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const count = byId('pager').querySelectorAll('.dot').length;
  const wanted = count > 1 ? pageAfterKey(event.key, page, count) : null;
  if (wanted === null) return;
  event.preventDefault();
  goTo(wanted);
});

followHall({
  onTables: (found) => {
    tables = [...found.values()];
    byId('all-tables').classList.remove('waiting');
    keepScreenOn(true);
    show();
  },
  onLost: (lost) => {
    if (lost === isLost) return;
    isLost = lost;
    show();
  },
});
addEventListener('resize', show);
setInterval(turn, 500);
