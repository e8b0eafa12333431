// What the overlays of a stream show of a snapshot. No DOM.

import { gameNumber } from '../connection.js';
import { sumView } from '../ruling_view.js';
import { isOver, turnTitle, winnerTitle } from '../table_view.js';

/**
 * Return the strip of scores, null without a game: the players in the order of their seats, and the line under them.
 * @param {any} snapshot
 * @returns {{players: {seat: number, name: string, score: number, isActing: boolean, hasWon: boolean, left: boolean, atRisk: number}[], line: string} | null}
 */
export function scoreView({ state, turn_points: points }) {
  if (!state) return null;
  const players = state.players.map(({ seat, name, score, left }) => ({
    seat,
    name,
    score,
    isActing: state.to_act.includes(seat),
    hasWon: state.winner.includes(seat),
    left,
    atRisk: seat === state.on_turn ? points : 0,
  }));
  return { players, line: isOver(state) ? winnerTitle(state) : turnTitle(state) };
}

/**
 * @typedef {{game: string, called: number, breach: string} | null} RulingMemory what was last seen: the game, the entry of its calls, and
 *   the breach that stood; null before the first snapshot
 */

/**
 * Return the ruling to be shown from now on, and what to remember. `ruling` is undefined where the one that is shown stays, null where
 * none is to be shown. What was there before the page was opened, or before the table went to another game, is not shown.
 * @param {RulingMemory} memory @param {any} snapshot @returns {{memory: RulingMemory, ruling: any}}
 */
export function nextRuling(memory, snapshot) {
  const now = { game: gameNumber(snapshot.extras.step ?? ''), called: snapshot.called, breach: snapshot.mood === 'breach' ? snapshot.notice : '' };
  if (memory === null || memory.game !== now.game) return { memory: now, ruling: null };
  if (now.breach && now.breach !== memory.breach) return { memory: now, ruling: breachView(snapshot) };
  if (now.called > memory.called && snapshot.calls.length) return { memory: now, ruling: rulingView(snapshot) };
  const isTakenBack = now.called < memory.called;
  return { memory: now, ruling: isTakenBack ? null : undefined };
}

const breachView = ({ notice, rule }) => ({ moment: 'breach', calls: [{ sentence: notice, rule, moment: '', sum: null }], bodies: {} });

/** Return the ruling of a snapshot: its calls with their sums, and the moment that colours it. @param {any} snapshot @returns {any} */
export function rulingView({ calls, moment, game }) {
  const bodies = Object.fromEntries((game?.kinds ?? []).map((kind) => [kind.kind, kind.bodies[0]]));
  return { moment: moment ?? '', calls: calls.map(({ sentence, rule, moment: own, sum }) => ({ sentence, rule, moment: own, sum: sumView(sum, []) })), bodies };
}
