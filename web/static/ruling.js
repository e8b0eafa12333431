// The ruling's card: a notice with its evidence, and the last calls with their rules and the dice that counted.

import { gameNumber } from './connection.js';
import { h } from './dom.js';
import { drawEvidence } from './evidence.js';
import { momentSign } from './moments.js';
import { drawPutBacks } from './put_back.js';
import { ruleLink } from './rule_link.js';
import { rememberSums } from './ruling_view.js';
import { say } from './say.js';
import { drawSum } from './sum_drawing.js';
import { rulingView } from './table_view.js';

/** The sums of the calls that are shown. @type {{key: string, sums: any[]} | null} */
let shownSums = null;

/** Return the ruling as it is drawn, with the pictures of the dice that counted as they were first seen. @param {any} snapshot @returns {any} */
export function rulingShown(snapshot) {
  const { step = '' } = snapshot.extras;
  shownSums = rememberSums(shownSums, JSON.stringify([gameNumber(step), snapshot.called, snapshot.calls]), snapshot.calls, snapshot.dice);
  return { ...rulingView(snapshot), sums: shownSums.sums };
}

/** Draw the ruling. @param {any} view @returns {any} */
export function drawRuling({ calls, sums, moment, notice, mood, rule, evidence, wrong, game, kinds }) {
  if (!calls.length && !notice) return [];
  const bodies = new Map(kinds.map((kind) => [kind.kind, kind.bodies[0]]));
  return h('div', { class: ['card', mood, !notice && moment].filter(Boolean).join(' ') },
    notice && h('p', { class: 'notice' }, notice, ' ', ruleLink(game, rule)),
    evidence && drawEvidence(evidence, notice || say('What the camera saw')),
    drawPutBacks(wrong),
    calls.length > 0 && h('ol', { class: 'calls' }, calls.map((call, place) => drawCall(call, sums[place], game, bodies))));
}

const drawCall = ({ sentence, rule, moment }, sum, game, bodies) => h('li', { 'data-moment': moment || null },
  moment && momentSign(moment), h('span', { class: 'call-words' }, sentence), ' ', ruleLink(game, rule), sum && drawSum(sum, bodies));
