// What the pages of a hall share: words, signs, ended games, and how many cards a screen shows, on pages that turn by themselves.

import { gameTime, listed } from '../format.js';
import { html, render } from '../html.js';
import { say, sayCount } from '../say.js';

/** Below this width, in pixels, the tables are a list that scrolls. */
export const LIST_BELOW = 600;
const LEAST_CARD = { width: 250, height: 190 };
const MOST_COLUMNS = 4;
const MOST_ROWS = 4;
const MOST_CARDS = 12;
const FEW_SEATS = 4;

/** Return the columns and rows of a screen of this size for so many tables: as large as they can be, at most MOST_CARDS at once. @param {number} count @param {number} width @param {number} height @returns {{columns: number, rows: number}} */
export function gridOf(count, width, height) {
  const most = {
    columns: Math.max(1, Math.min(MOST_COLUMNS, Math.floor(width / LEAST_CARD.width))),
    rows: Math.max(1, Math.min(MOST_ROWS, Math.floor(height / LEAST_CARD.height))),
  };
  let best = { columns: 1, rows: 1, shown: 0, size: 0 };
  for (let columns = 1; columns <= most.columns; columns += 1) {
    for (let rows = 1; rows <= most.rows; rows += 1) {
      const shown = Math.min(count, columns * rows, MOST_CARDS);
      const size = columns * rows > MOST_CARDS ? 0 : Math.min(width / columns / LEAST_CARD.width, height / rows / LEAST_CARD.height);
      if (shown > best.shown || (shown === best.shown && size > best.size)) best = { columns, rows, shown, size };
    }
  }
  return { columns: best.columns, rows: best.rows };
}

/** Return the items of each page, as even as can be. @template T @param {T[]} items @param {number} most @returns {T[][]} */
export function pagesOf(items, most) {
  const count = Math.max(1, Math.ceil(items.length / Math.max(1, most)));
  const each = Math.ceil(items.length / count);
  return Array.from({ length: count }, (_, page) => items.slice(page * each, (page + 1) * each));
}

/** Return the page to which a key leads, null for another key. */
function pageAfterKey(key, page, count) {
  const to = { ArrowRight: page + 1, PageDown: page + 1, ArrowLeft: page - 1, PageUp: page - 1, Home: 0, End: count - 1 }[key];
  return to === undefined ? null : (to + count) % count;
}

const TROUBLES = {
  quarantined: say('The hall takes nothing of this table'),
  refused: say('The hall does not count this game'),
  silent: say('Nothing is heard of this table'),
  clock: say('The clock of this table is wrong'),
};

/** Return what a sign means. @param {string} trouble @returns {string} */
export const troubleWords = (trouble) => TROUBLES[trouble] ?? trouble;

/** Return how a game came out: "Ann wins!". @param {import('./hall_feed.js').Game} game @returns {string} */
export function outcomeWords({ seats }) {
  const names = seats.filter(({ won }) => won).map(({ name }) => name);
  return names.length ? sayCount('{names} wins!', '{names} win!', names.length, { names: listed(names) }) : say('Left before its end');
}

/** Return how a card is drawn: its line at the foot, and how many seats it holds. @param {import('./hall_feed.js').Table} table @returns {{kind: string, foot: string, seats: import('./hall_feed.js').Seat[], crowd: string}} */
export function cardView({ stage, game }) {
  if (stage === 'quiet' || !game) return { kind: 'quiet', foot: say('Nobody plays'), seats: [], crowd: 'few' };
  const foot = game.is_over ? outcomeWords(game) : game.ruling;
  return { kind: stage, foot, seats: game.seats, crowd: game.seats.length > FEW_SEATS ? 'many' : 'few' };
}

/** Return in words how all tables stand, for the head of the page. @param {import('./hall_feed.js').Table[]} tables @returns {string} */
export function hallWords(tables) {
  const going = tables.filter(({ stage }) => stage === 'going').length;
  return say('{playing} of {tables} tables play', { playing: going, tables: tables.length });
}

/** Return how an ended game came out, for a list. */
function resultWords({ finished, seats }) {
  const names = seats.filter(({ won }) => won).map(({ name }) => name);
  return finished && names.length ? sayCount('{names} won', '{names} won', names.length, { names: listed(names) }) : say('Left before its end');
}

const CLOCK_OFF_S = 60;
const MINUTE_S = 60;

/** Return how wrong a table's clock is, '' where it is right to a minute. @param {number} offS seconds by which it is ahead @returns {string} */
export function clockWords(offS) {
  if (Math.abs(offS) <= CLOCK_OFF_S) return '';
  const minutes = Math.round(Math.abs(offS) / MINUTE_S);
  return offS > 0 ? sayCount('its clock is {count} minute ahead', 'its clock is {count} minutes ahead', minutes) : sayCount('its clock is {count} minute behind', 'its clock is {count} minutes behind', minutes);
}

const DAY_MS = 86_400_000;

/** Return the address that answers a filter of the players: a search by name, else the standings from a day up to and with another. @param {{name: string, since: string, until: string}} filter days as 2026-09-01, '' for no bound @returns {string} */
export function seasonQuery({ name, since, until }) {
  if (name.trim()) return `/api/hall/players?${new URLSearchParams({ name: name.trim() })}`;
  const words = new URLSearchParams({ since, until: until && new Date(Date.parse(until) + DAY_MS).toISOString().slice(0, 10), most: '500' });
  return `/api/hall/standings?${words}`;
}

const PATHS = {
  quarantined: 'M12 3 2 21h20zM12 9v6M12 17.6v1',
  refused: 'M12 3 2 21h20zM12 9v6M12 17.6v1',
  silent: 'M2 9a15 15 0 0 1 20 0M5.5 13a10 10 0 0 1 13 0M9 17a5 5 0 0 1 6 0M3 3l18 18',
  clock: 'M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M12 7v5.5l3.5 2',
};

/** Draw what is wrong with a table. @param {{troubles: string[]}} props @returns {any} */
export const TroubleSigns = ({ troubles }) => troubles.map((trouble) => html`<span key=${trouble} class=${`sign ${trouble}`} role="img" title=${troubleWords(trouble)} aria-label=${troubleWords(trouble)}>
  <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${PATHS[trouble] ?? PATHS.refused} fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round" /></svg></span>`);

/** Draw a game; with its table where games of several tables are listed. @param {{game: any, isNamed?: boolean}} props @returns {any} */
export const EndedGame = ({ game, isNamed = false }) => html`<li><a href=${`/tables/${game.table}/games/${game.number}`}>
  <strong>${game.title}</strong><span class="when">${gameTime(game)}</span>
  <span class="seats">${game.seats.map((seat) => html`<span class=${seat.won ? 'won' : ''}>${seat.name} ${seat.score}</span>`)}</span>
  <span class="result">${isNamed ? `${game.table_name} · ` : ''}${resultWords(game)}</span></a></li>`;

/* Pages of a screen across the room: they turn by themselves, and by dots and keys */

const TURN_MS = 12000;
const LOOK_MS = 500;

function Pager({ count, page, isTurning, turnOn, goTo }) {
  if (count < 2) return null;
  return html`<button type="button" class="quiet" id="turning" aria-pressed=${String(!isTurning)} aria-label=${isTurning ? say('Stay on this page') : say('Turn the pages')} onClick=${() => turnOn(!isTurning)}>
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${isTurning ? 'M8 5v14M16 5v14' : 'M8 5v14l11-7z'} fill=${isTurning ? 'none' : 'currentColor'} stroke="currentColor" stroke-width="3" /></svg></button>
    ${Array.from({ length: count }, (_, place) => html`<button type="button" class="quiet dot" key=${place} aria-label=${say('Page {page} of {count}', { page: place + 1, count })} aria-current=${place === page ? 'page' : null} onClick=${() => goTo(place)} />`)}`;
}

/** The pages of a screen. `show` draws the page that `pageOf` gives it. */
export class TurningPages {
  #show;
  #count = 1;
  #page = 0;
  #isTurning = true;
  #turnedAt = Date.now();

  /** Begin to turn. @param {() => void} show */
  constructor(show) {
    this.#show = show;
    document.addEventListener('keydown', (event) => this.#onKey(event));
    setInterval(() => this.#turn(), LOOK_MS);
  }

  /** Return which of so many pages is to be shown, and draw the pager. @param {number} count @param {HTMLElement} pager @returns {number} */
  pageOf(count, pager) {
    this.#count = count;
    this.#page = Math.min(this.#page, count - 1);
    const turnOn = (turning) => this.#turnOn(turning);
    const goTo = (page) => this.#goTo(page);
    render(html`<${Pager} count=${count} page=${this.#page} isTurning=${this.#isTurning} turnOn=${turnOn} goTo=${goTo} />`, pager);
    return this.#page;
  }

  #goTo(page) {
    this.#page = page;
    this.#isTurning = false;
    this.#show();
  }

  #turnOn(turning) {
    this.#isTurning = turning;
    this.#turnedAt = Date.now();
    this.#show();
  }

  #turn() {
    if (!this.#isTurning || document.hidden || Date.now() - this.#turnedAt < TURN_MS) return;
    this.#turnedAt = Date.now();
    if (this.#count > 1) this.#page = (this.#page + 1) % this.#count;
    this.#show();
  }

  #onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const wanted = this.#count > 1 ? pageAfterKey(event.key, this.#page, this.#count) : null;
    if (wanted === null) return;
    event.preventDefault();
    this.#goTo(wanted);
  }
}
