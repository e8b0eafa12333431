// Parts of the dialog of a new game that are shown elsewhere too: games that stand open, and who waits at a hall's table.

import { getJson, postJson } from './api.js';
import { confirmDialog } from './dialog.js';
import { h, orShowError, toastError } from './dom.js';
import { dateTime } from './format.js';
import { say } from './say.js';

/* Games that stand open */

/** Return the open games but the one on the table; none after a failure, which `show` shows. @param {(error: any) => void} show @returns {Promise<any[]>} */
export const fetchOpenGames = async (show = toastError) => standing(await orShowError(getJson('/api/open-games'), show));

const standing = (answer) => (answer?.games ?? []).filter(({ on_table: onTable }) => !onTable);

/** Draw the open games, nothing without any. @param {any[]} games @param {{playOn: (number: number) => any, end: (game: any) => any} | null} act null where nobody may @returns {any} */
export const drawOpenGames = (games, act) => games.length > 0 && h('fieldset', { class: 'open-games' }, h('legend', {}, say('Games that stand open')),
  h('ul', {}, games.map((game) => drawOpenGame(game, act))));

const playersOf = ({ seats }) => seats.map(({ name, score }) => (score === null ? name : `${name} ${score}`)).join(' · ');

function drawOpenGame(game, act) {
  const { number, title, played_at: playedAt } = game;
  const players = playersOf(game);
  const about = h('div', { class: 'about-open' }, h('strong', {}, title), h('span', {}, players), h('small', {}, dateTime(playedAt)));
  return h('li', { 'data-number': number }, about, act && h('div', { class: 'open-ways' },
    h('button', { type: 'button', class: 'main play-on', 'aria-label': say('Play on: {title}, {players}', { title, players }), onclick: () => act.playOn(number) }, say('Play on')),
    h('button', { type: 'button', class: 'quiet end-open', 'aria-label': say('End it: {title}, {players}', { title, players }), onclick: () => act.end(game) }, say('End it'))));
}

/** Go back to an open game. @param {number} number @param {string} step the page's @returns {Promise<any>} the snapshot, nothing where that was refused */
export const playOn = (number, step = '') => orShowError(postJson('/api/play-on', { number, step }));

/** Ask whether an open game shall end, and end it. @param {any} game @param {(left: any[]) => void} onEnded with the games that are left @returns {void} */
export function confirmEnd(game, onEnded) {
  const detail = say('{players}. It stands among the past games then, and cannot be played on.', { players: playersOf(game) });
  confirmDialog(say('End this game of {title}?', { title: game.title }), detail, say('End it'), async () => {
    const answer = await orShowError(postJson('/api/open-games/end', { number: game.number }));
    if (answer) onEnded(standing(answer));
  });
}

/* Who waits at a table of a hall, and the code by which phones join in */

/** How long an opened dialog asks again who waits. */
export const WAITING_MS = 4000;

/** Draw the code that a player's phone scans. @param {string} name the table's @returns {HTMLElement} */
export const drawHallCode = (name) => h('figure', { class: 'hall-code' },
  h('img', { class: 'qr', src: '/hall-join.svg', width: 168, height: 168, alt: say('QR code by which a phone joins in') }),
  h('figcaption', {}, say('Scan it with your phone, type your name, and wait at {table}.', { table: name })));

/**
 * Draw who waits, each of whom takes a seat by one tap, and the code behind a heading.
 * @param {{joined: boolean, name: string, players: string[]}} link @param {string[]} seated the names on the sheet
 * @param {(name: string) => void} seat @param {(name: string) => void} remove takes a name off the list
 * @param {boolean} isOpen @returns {any}
 */
export function drawHallPlayers({ joined, name, players }, seated, seat, remove, isOpen) {
  if (!joined) return [];
  const free = players.filter((player) => !seated.includes(player));
  return h('div', { class: 'hall-players' },
    free.length > 0 && h('p', {}, say('They wait to play:')),
    free.length > 0 && h('div', { class: 'waiting-chips' }, free.map((player) => drawChip(player, seat, remove))),
    h('details', { class: 'hall-scan', open: isOpen }, h('summary', {}, say('Join in by phone')), drawHallCode(name)));
}

const drawChip = (player, seat, remove) => h('span', { class: 'waiting-chip' },
  h('button', { type: 'button', class: 'quiet', 'data-player': player, 'aria-label': say('Seat {player}', { player }), onclick: () => seat(player) }, `+ ${player}`),
  h('button', { type: 'button', class: 'quiet remove', 'data-remove': player, 'aria-label': say('Take {player} off the list', { player }), onclick: () => remove(player) }, '×'));

/** Return the names on the sheet with one more: in the first empty seat, else in a new one, else in none. @param {string[]} names @param {string} player @param {number} most @returns {string[]} */
export function seatPlayer(names, player, most) {
  const empty = names.findIndex((name) => !name.trim());
  if (empty >= 0) return names.with(empty, player);
  return names.length < most ? [...names, player] : names;
}
