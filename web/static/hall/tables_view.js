// How many tables a screen shows at once, on which page each is, and what a table's card says. No DOM.

import { listed } from '../format.js';
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

/** Return the page to which a key leads, null for another key. @param {string} key @param {number} page @param {number} count @returns {number | null} */
export function pageAfterKey(key, page, count) {
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

/** Return how an ended game came out, for a list. @param {{finished: boolean, seats: {name: string, won: boolean}[]}} game @returns {string} */
export function resultWords({ finished, seats }) {
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
