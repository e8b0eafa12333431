// What the caller says of a snapshot, as keys of phrases and numbers: no words of any language, no sound, no DOM.

import { gameNumber } from '../connection.js';

/**
 * @typedef {{sound?: string, phrase?: string, rule?: string, name?: string, without?: string, number?: number}} SpokenPart
 *   a sound; a number; or a phrase, which a ruling by `rule` may replace. `name` is said before the phrase where the
 *   browser has a voice for names; where it has none, `without` is said instead of the phrase.
 * @typedef {{level: 'low' | 'all', parts: SpokenPart[]}} Utterance what is said from this level on
 * @typedef {{game: string, called: number, done: number, scores: Record<number, number>, points: number, turn: number, calls: string, asked: number, mood: string, unsaved: boolean} | null} SpokenMemory
 *   what the last snapshot showed; null before the first, and after a while without any
 */

/** Interventions that change what was ruled before. */
const CORRECTING = new Set(['correct', 'challenge', 'undo']);

/** Moments that say nothing in words where a number says more. */
const WORDLESS = new Set(['score']);

/**
 * Return what is said now, and what to remember. Nothing is said of what was there when the page was opened or heard from the
 * table again; after a correction or a step taken back only what it changed.
 * @param {SpokenMemory} memory @param {any} snapshot @returns {{memory: SpokenMemory, said: Utterance[]}}
 */
export function nextSpoken(memory, snapshot) {
  const now = memoryOf(memory, snapshot);
  if (memory === null || !snapshot.state) return { memory: now, said: [] };
  const said = [...ofPlay(memory, now, snapshot), ...ofQuestions(memory, now, snapshot)];
  return { memory: now, said: said.filter(({ parts }) => parts.length > 0) };
}

/** Return the parts that are said at a level. @param {Utterance[]} said @param {string} level @returns {SpokenPart[]} */
export const partsAt = (said, level) => said.filter((each) => level === 'all' || each.level === level).flatMap(({ parts }) => parts);

function memoryOf(memory, { state, called, calls, interventions, questions, mood, unsaved, turn_points: points, extras }) {
  const game = gameNumber(extras.step ?? '');
  const isSame = memory?.game === game;
  const done = Math.max(isSame ? memory.done : 0, ...interventions.map(({ number }) => number));
  const isRuled = !isSame || called !== memory.called || done !== memory.done;
  return {
    game,
    called,
    done,
    scores: Object.fromEntries((state?.players ?? []).map(({ seat, score }) => [seat, score])),
    points: isRuled ? points : memory.points, // dice that hands park and take back say nothing yet
    turn: state?.on_turn ?? 0,
    calls: JSON.stringify(calls),
    asked: Math.max(memory?.asked ?? 0, ...questions.map(({ number }) => number)),
    mood,
    unsaved,
  };
}

function ofPlay(before, now, snapshot) {
  if (now.game !== before.game) return snapshot.called ? [] : [all({ sound: 'accepted' }, { phrase: 'new-game' }), turnOf(before, now, snapshot)];
  const correction = snapshot.interventions.find(({ number, deed }) => number > before.done && CORRECTING.has(deed));
  if (correction || now.called < before.called) return ofCorrection(correction?.deed === 'undo' || !correction, before, now, snapshot);
  return now.called > before.called ? [...ofRuling(before, now, snapshot), turnOf(before, now, snapshot)] : [];
}

/** What a ruling brought: its sound, its words, then the numbers. */
function ofRuling(before, now, snapshot) {
  const { moment, state } = snapshot;
  if (!moment) return [low({ sound: 'accepted' }), all(...thrown(before, now, snapshot))];
  const gains = gainsOf(before, state);
  const numbers = gains.length === 1 && gains[0].gain > 0 ? [{ number: gains[0].gain }, { phrase: 'your-score' }, { number: gains[0].score }] : [];
  const words = WORDLESS.has(moment) && numbers.length ? [] : [wordsOf(snapshot)];
  const isLast = moment === 'last-round' || moment === 'win';
  return [low({ sound: moment }, ...(isLast ? [...numbers, ...words] : [...words, ...numbers]))];
}

/** The points of the turn, or what a throw counts where a game gives none. */
function thrown(before, now, { calls }) {
  if (now.turn === before.turn && now.points > before.points) return [{ number: now.points }];
  const total = calls.findLast(({ sum }) => sum)?.sum.total;
  return now.points === before.points && total !== undefined ? [{ number: total }] : [];
}

function wordsOf({ moment, calls, state }) {
  const rule = calls.findLast((call) => call.moment === moment)?.rule ?? '';
  if (moment !== 'win') return { phrase: moment, rule };
  const winners = state.players.filter(({ seat }) => state.winner.includes(seat));
  return winners.length > 1 ? { phrase: 'shared-win' } : { phrase: 'wins', name: winners[0]?.name ?? '', without: 'win', rule };
}

/** What a correction or a step back changed, and nothing else. */
function ofCorrection(isBack, before, now, snapshot) {
  const scores = gainsOf(before, snapshot.state).flatMap(({ name, score }) => [{ phrase: 'your-score', name }, { number: score }]);
  const points = now.turn === before.turn && now.points !== before.points ? [{ phrase: 'turn-points' }, { number: now.points }] : [];
  const moment = snapshot.moment && now.calls !== before.calls && !isBack && !WORDLESS.has(snapshot.moment) ? [wordsOf(snapshot)] : [];
  const changes = [...moment, ...scores, ...points, ...turnOf(before, now, snapshot).parts];
  return [low(...(changes.length || isBack ? [{ phrase: isBack ? 'taken-back' : 'corrected' }, ...changes] : []))];
}

function gainsOf(before, { players }) {
  const known = players.filter(({ seat }) => seat in before.scores);
  return known.map(({ seat, name, score }) => ({ name, score, gain: score - before.scores[seat] })).filter(({ gain }) => gain !== 0);
}

/** Whose turn it is now, where there are several players. */
function turnOf(before, now, { state }) {
  const isNext = now.turn && (now.turn !== before.turn || now.game !== before.game) && state.players.length > 1;
  const name = state.players.find(({ seat }) => seat === now.turn)?.name ?? '';
  return all(...(isNext && !state.winner.length ? [{ phrase: 'your-turn', name }] : []));
}

/** What the table has to look at. */
function ofQuestions(before, now, { unsaved, mood, questions }) {
  if (unsaved) return [low(...(before.unsaved ? [] : [{ sound: 'ask' }, { phrase: 'wait' }]))];
  if (mood === 'breach') return [low(...(before.mood === 'breach' ? [] : [{ sound: 'ask' }, { phrase: 'breach' }]))];
  return [all(...(questions.length && now.asked > before.asked ? [{ sound: 'ask' }, { phrase: 'question' }] : []))];
}

const low = (...parts) => ({ level: /** @type {const} */ ('low'), parts });
const all = (...parts) => ({ level: /** @type {const} */ ('all'), parts });
