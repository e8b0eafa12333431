// What the page of a result shows: the places of the players, and the headings of its moments. No DOM.

import { say } from './say.js';

/**
 * @typedef {{seat: number, name: string, player: number, won: boolean}} Seat
 * @typedef {{seat: number, name: string, player: number, won: boolean, score: number | null, place: number}} Standing
 */

/** Return the seats from the first place to the last; equal scores share one. Who has won comes first, whatever the scores say. @param {Seat[]} seats @param {number[]} scores seat by seat, none where nobody knows @returns {Standing[]} */
export function standings(seats, scores) {
  const known = seats.map((seat, index) => ({ ...seat, score: scores[index] ?? null, place: 0 }));
  const sorted = known.sort((one, other) => Number(other.won) - Number(one.won) || (other.score ?? 0) - (one.score ?? 0));
  return sorted.map((seat) => ({ ...seat, place: 1 + sorted.findIndex(({ won, score }) => won === seat.won && score === seat.score) }));
}

/** Return the heading of a moment. @param {string} name @returns {string} */
export const momentTitle = (name) => MOMENTS[name] ?? say('A moment');

const MOMENTS = { decided: say('What decided it'), 'best-turn': say('Best turn'), luckiest: say('Luckiest throw'), bold: say('Boldest turn') };

/** Return the file name of the picture that is shared. @param {string} game @param {string} endedAt @returns {string} */
export const pictureName = (game, endedAt) => `vander-${game}-${endedAt.slice(0, 10)}.png`;
