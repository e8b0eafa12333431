// All tables of the hall on one screen, live; more than it holds are on pages that turn.

import { keepScreenOn } from '../display.js';
import { byId } from '../dom.js';
import { html, render } from '../html.js';
import { say } from '../say.js';
import { followHall } from './hall_feed.js';
import { LIST_BELOW, TroubleSigns, TurningPages, cardView, gridOf, hallWords, pagesOf } from './hall_parts.js';

const cards = byId('cards');
let tables = [];
let isLost = false;

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

/** Where the cards stand: what is left of the screen under the head, without the row of the pager. */
function roomOf() {
  const { clientWidth, clientHeight } = byId('all-tables');
  return { width: clientWidth, height: clientHeight };
}

function show() {
  const { width, height } = roomOf();
  const most = gridOf(tables.length, width, height);
  const shown = pagesOf(tables, isList() ? tables.length : most.columns * most.rows);
  const grid = isList() ? { columns: 1, rows: Math.max(1, tables.length) } : gridOf(shown[0].length, width, height);
  cards.style.setProperty('--columns', String(grid.columns));
  cards.style.setProperty('--rows', String(grid.rows));
  const page = shown[pages.pageOf(shown.length, byId('pager'))];
  render(tables.length ? page.map((table) => html`<${Card} key=${table.number} table=${table} />`) : html`<li class="none">${say('No table has joined the hall.')}</li>`, cards);
  byId('all-tables').classList.toggle('paged', shown.length > 1);
  byId('hall-state').textContent = isLost ? say('The hall does not answer.') : hallWords(tables);
  byId('hall-state').classList.toggle('problem', isLost);
}

const pages = new TurningPages(show);

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
