// Whose tablet this is: one player's, or the whole table's. Kept by name, so that it holds for the next game too.

import { h } from './dom.js';

const KEPT = 'vander.tablet';

let own = keptName();

function keptName() {
  try {
    return localStorage.getItem(KEPT) ?? '';
  } catch {
    return ''; // a browser that keeps nothing is the whole table's
  }
}

/** Whether this browser may decide at the table, or only watches. */
export const mayDecide = () => document.body.dataset.role !== 'watcher';

/** The seat whose tablet this is, or 0: it is the whole table's, or its player does not play now. */
export const ownSeat = (players) => players.find(({ name }) => name === own)?.seat ?? 0;

/** The small choice at the foot of the page; `changed` is called when another seat was chosen. */
export function drawSeat(players, changed) {
  if (!players || players.length < 2) return [];
  const choose = (event) => {
    own = event.target.value;
    keep();
    changed();
  };
  const options = [['', 'the whole table’s'], ...players.map(({ name }) => [name, `${name}’s`])];
  return h('label', {}, 'This tablet is ',
    h('select', { id: 'own-seat', 'data-key': 'own-seat', onchange: choose },
      options.map(([value, words]) => h('option', { value, selected: value === own }, words))));
}

function keep() {
  try {
    localStorage.setItem(KEPT, own);
  } catch {
    // it holds until the page is closed
  }
}
