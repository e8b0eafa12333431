// The overlays of a stream as they are drawn: the strip of scores, the dice, and the card of a ruling. Nothing here can be tapped.

import { inOrder, nextOrder } from '../dice_order.js';
import { h } from '../dom.js';
import { momentSign } from '../moments.js';
import { say } from '../say.js';
import { drawing, drawSum } from '../sum_drawing.js';
import { diceByZone, postureOf } from '../table_view.js';

const SEVERAL = 6;

/** Draw the strip of scores. @param {ReturnType<import('./overlay_view.js').scoreView>} view @returns {any} */
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
