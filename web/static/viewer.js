// Who looks at this page: the browser's role, and whose tablet it is, one player's or the whole table's.

import { h } from './dom.js';
import { say, sayParts } from './say.js';
import { load, store } from './storage.js';

/** Return the role of this browser. @returns {string} */
export const role = () => document.body.dataset.role ?? '';

/** Return true if this browser may decide at the table. @returns {boolean} */
export const mayDecide = () => !['watcher', 'camera'].includes(role());

/** Return true if this browser is a keeper's. @returns {boolean} */
export const isKeeper = () => role() === 'keeper';

/** What is said before the last keeper's tablet is made a player's, is forgotten or leaves. */
export const LAST_KEEPER = say('No keeper is left then. Only the box can make another: press its button while it shows a code, or type “vander pair”.');

const KEY = 'vander.tablet';

/** Kept by name, so that it holds for the next game too. */
let ownName = load('localStorage', KEY) ?? '';

/** Return the seat whose tablet this is; 0 for the whole table's, or if its player does not play now. @param {{seat: number, name: string}[]} players @returns {number} */
export const ownSeat = (players) => players.find(({ name }) => name === ownName)?.seat ?? 0;

/** Draw the choice at the foot of the page; `changed` runs after another seat is chosen. @param {{seat: number, name: string}[] | null} players @param {() => void} changed @returns {any} */
export function drawOwnSeat(players, changed) {
  if (!players || players.length < 2) return [];
  const choose = (event) => {
    ownName = event.target.value;
    store('localStorage', KEY, ownName);
    changed();
  };
  const options = [['', say('the whole table’s')], ...players.map(({ name }) => [name, say('{name}’s', { name })])];
  const choice = h('select', { id: 'own-seat', 'data-key': 'own-seat', onchange: choose },
    options.map(([value, words]) => h('option', { value, selected: value === ownName }, words)));
  return h('label', {}, sayParts('This tablet is {choice}', { choice }));
}
