// The names of a new game's players: what is empty gets a name, and what cannot be is said. No DOM.

import { duplicate } from './format.js';
import { say, sayCount } from './say.js';

/**
 * @typedef {{title: string, seats: [number, number]}} Seating `seats` are the fewest and the most players of a game
 */

/** Return the name of a seat that nobody has named: "Player 1" for the place 0. @param {number} place @returns {string} */
export const seatName = (place) => say('Player {place}', { place: place + 1 });

/** Return the names with the empty ones filled: "Player 2". @param {string[]} names @returns {string[]} */
export const filledNames = (names) => names.map((name, place) => name.trim() || seatName(place));

/** Return what is wrong with the names, '' for nothing. @param {string[]} names @param {Seating} game @returns {string} */
export function namesProblem(names, { title, seats: [fewest, most] }) {
  if (names.length < fewest) return sayCount('{title} needs at least {count} player.', '{title} needs at least {count} players.', fewest, { title });
  if (names.length > most) return sayCount('{title} takes at most {count} player.', '{title} takes at most {count} players.', most, { title });
  return duplicate(names) === undefined ? '' : say('Two players have the same name; give each a name of their own.');
}

/** Return the game as the chosen house rules have it: the option `players` lets more people play. @template {Seating} G @param {G} game @param {string | undefined} chosen its reading, such as up-to-12 @returns {G} */
export function seatedBy(game, chosen) {
  const most = Number(/^up-to-(\d+)$/.exec(chosen ?? '')?.[1] ?? game.seats[1]);
  return { ...game, seats: [game.seats[0], most] };
}

/** Return how many may play: "4", "2 to 8". @param {Seating} game @returns {string} */
export const seatRange = ({ seats: [fewest, most] }) => (fewest === most ? `${most}` : say('{fewest} to {most}', { fewest, most }));

/** Return the names to begin with: as `initialNames` has them, and where this browser keeps none, those of the players who may play again. @param {string | null} stored JSON @param {{name: string}[]} players @param {Seating} game @returns {string[]} */
export const namesToBegin = (stored, players, game) => initialNames(stored ?? JSON.stringify(players.map(({ name }) => name)), game);

/** Return the names to begin with: the stored ones, but for those that only fill an empty seat; else two empty seats where the game allows them. @param {string | null} stored JSON @param {Seating} game @returns {string[]} */
export function initialNames(stored, { seats: [fewest, most] }) {
  try {
    const names = JSON.parse(stored ?? '');
    if (Array.isArray(names) && names.length) return names.map((name, place) => (name === seatName(place) ? '' : String(name))).slice(0, most);
  } catch {
    // nothing stored, or not by us
  }
  return Array(Math.min(most, Math.max(2, fewest))).fill('');
}
