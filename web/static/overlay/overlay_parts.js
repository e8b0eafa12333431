// What the overlays of a stream show of a snapshot, and how: the strip of scores, the dice, and the card of a ruling. Nothing here
// can be tapped.

import { h } from '../dom.js';
import { gameNumber } from '../events.js';
import { momentSign } from '../moments.js';
import { drawSum, drawing, sumView } from '../ruling_sum.js';
import { say } from '../say.js';
import { diceByZone, inOrder, isOver, nextOrder, postureOf, turnTitle, winnerTitle } from '../table_view.js';

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

const SEVERAL = 6;

/** Draw the strip of scores. @param {ReturnType<scoreView>} view @returns {any} */
export function drawScore(view) {
  if (!view) return [];
  const { players, line } = view;
  return h('div', { class: players.length > SEVERAL ? 'strip several' : 'strip' },
    h('ol', { class: 'seats' }, players.map(drawPlayer)),
    h('p', { class: 'line' }, line));
}

function drawPlayer({ seat, name, score, isActing, hasWon, left, atRisk }) {
  const classes = ['seat', isActing && 'acting', hasWon && 'won', left && 'gone'].filter(Boolean).join(' ');
  return h('li', { class: classes, 'data-seat': seat },
    h('span', { class: 'name' }, name),
    h('span', { class: 'points' }, String(score)),
    atRisk !== 0 && h('span', { class: 'at-risk', 'aria-label': say('{points} points at risk', { points: atRisk }) }, atRisk > 0 ? `+${atRisk}` : `−${-atRisk}`));
}

/** Return what draws dice, remembering where each stands and which have just fallen. @returns {(snapshot: any) => any} */
export function diceDrawing() {
  let order = new Map();
  return ({ dice, game, extras }) => {
    const before = order;
    order = nextOrder(order, dice);
    const kinds = game?.kinds ?? [];
    const names = kinds.map(({ kind }) => kind);
    const bodies = new Map(kinds.map((kind) => [kind.kind, kind.bodies[0]]));
    const isFresh = (die) => before.get(die.number)?.face !== die.face;
    return h('div', { class: extras.table === 'moving' ? 'zones moving' : 'zones' }, diceByZone(dice).map(({ zone, dice: lying }) =>
      h('ol', { class: 'zone', 'data-zone': zone }, inOrder(order, lying, names).map((die) => drawDie(die, bodies.get(die.kind), isFresh(die))))));
  };
}

function drawDie(die, body, isFresh) {
  const isDoubtful = Boolean(postureOf(die)) || (!die.sure && !die.mark);
  const classes = ['die', isFresh && 'fresh', isDoubtful && 'doubtful'].filter(Boolean).join(' ');
  return h('li', { class: classes, 'data-kind': die.kind, 'data-face': die.face },
    h('span', { class: 'shown', role: 'img', 'aria-label': die.title || say('unread') }, drawing(die.face, die.title || '?', body)),
    isDoubtful && h('span', { class: 'doubt', 'aria-hidden': 'true' }, '?'));
}

/** Draw the card of a ruling. @param {any} ruling @returns {any} */
export function drawCard(ruling) {
  if (!ruling) return [];
  const bodies = new Map(Object.entries(ruling.bodies));
  return h('div', { class: `card ${ruling.moment}` }, h('ol', { class: 'calls' }, ruling.calls.map((call) => drawCall(call, bodies))));
}

const drawCall = ({ sentence, rule, moment, sum }, bodies) => h('li', { 'data-moment': moment || null },
  moment && momentSign(moment), h('span', { class: 'words' }, sentence), rule && h('span', { class: 'rule' }, rule), sum && drawSum(sum, bodies));
