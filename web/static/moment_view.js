// Which moment a snapshot brings, and its words: each is shown once, with the first snapshot that has its calls. No DOM.

import { gameNumber } from './connection.js';
import { say } from './say.js';
import { winnerTitle } from './table_view.js';

/**
 * @typedef {{game: string, called: number, scores: Record<number, number>} | null} MomentMemory the newest calls that
 *   were seen, of which game, and the scores then; null before the first snapshot, and after a while without any
 */

const WORDS = { stop: say('Stop!'), bust: say('Bust!'), vander: say('Off the table!'), 'come-in': say('In the game!'), 'last-round': say('Last turns!') };

/**
 * Return the moment to be shown now, and what to remember. Calls that were there when the page was opened or heard
 * from the table again show none, nor does what comes back when a step is taken back.
 * @param {MomentMemory} memory @param {any} snapshot @returns {{memory: MomentMemory, moment: {kind: string, words: string} | null}}
 */
export function nextMoment(memory, snapshot) {
  const { state, called, moment } = snapshot;
  const game = gameNumber(snapshot.extras.step ?? '');
  const scores = Object.fromEntries((state?.players ?? []).map(({ seat, score }) => [seat, score]));
  const isSame = memory !== null && memory.game === game;
  const isNew = isSame && called > memory.called;
  const now = { game, called: isSame ? Math.max(called, memory.called) : called, scores };
  return { memory: now, moment: isNew && moment ? { kind: moment, words: wordsOf(moment, state, memory.scores) } : null };
}

function wordsOf(kind, state, before) {
  if (kind === 'win') return winnerTitle(state);
  return WORDS[kind] ?? gainOf(state.players, before);
}

/** The most that a player gained, as `+450`. */
function gainOf(players, before) {
  const gain = Math.max(0, ...players.map(({ seat, score }) => score - (before[seat] ?? score)));
  return gain ? `+${gain}` : say('Yes!');
}
