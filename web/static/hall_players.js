// In the dialog of a new game at a table of a hall: who waits to play, and the code by which phones join in.

import { h } from './dom.js';
import { say } from './say.js';

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

/**
 * Return the names on the sheet with one more: in the first empty seat, else in a new one, else in none.
 * @param {string[]} names @param {string} player @param {number} most @returns {string[]}
 */
export function seatPlayer(names, player, most) {
  const empty = names.findIndex((name) => !name.trim());
  if (empty >= 0) return names.with(empty, player);
  return names.length < most ? [...names, player] : names;
}
