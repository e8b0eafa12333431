// The ruling's card: a notice with its evidence, the last calls with the dice that counted, and the way to the rule behind them.

import { pictureUrl } from './api.js';
import { closeButton, dialogTitle, openDialog } from './dialog.js';
import { h } from './dom.js';
import { gameNumber } from './events.js';
import { beforeAfter, rulesSheet } from './late.js';
import { momentSign } from './moments.js';
import { drawPutBacks } from './put_back.js';
import { drawSum, rememberSums } from './ruling_sum.js';
import { say } from './say.js';
import { rulingView } from './table_view.js';

/* The way to the rules, whose sheet is loaded when it is wanted */

/** Draw the button that opens the text of a rule, where its number stands; '' for no rule. */
const whyButton = (game, rule) => rule && h('button', { type: 'button', class: 'why-rule', 'data-key': `rule-${rule}`, 'aria-label': say('Why? Rule {rule}', { rule }), onclick: () => openRules(game, rule) }, say('Why?'));

/** Open the rules of a game, at a rule. */
const openRules = (game, rule = '') => rulesSheet.use((sheet) => sheet.showRules(game, rule));

/** Tell how a game is played, step by step. @param {string} game @returns {Promise<void>} */
export const openHowToPlay = (game) => rulesSheet.use((sheet) => sheet.showHowToPlay(game));

/* Evidence of a breach */

/** Show a picture large. @param {string} name @param {string} sentence @returns {void} */
function openPicture(name, sentence) {
  openDialog(dialogTitle(sentence), h('img', { class: 'large', src: pictureUrl(name), alt: sentence }), closeButton(say('Close')));
}

/** Show the table before and after a breach, or its picture alone. @param {string} name @param {string} sentence @returns {Promise<void>} */
const openEvidence = (name, sentence) => beforeAfter.use(async ({ drawBeforeAfter }) => {
  const both = await drawBeforeAfter(name);
  if (both) openDialog(dialogTitle(sentence), both, closeButton(say('Close')));
  else openPicture(name, sentence);
});

/** Draw a piece of evidence: the table before and after, else a small picture to enlarge, or a note that it is no longer kept. */
function drawEvidence(name, sentence) {
  const replaceByNote = () => button.replaceWith(h('p', { class: 'gone' }, say('The picture is no longer kept.')));
  const image = h('img', { src: pictureUrl(name), alt: say('What the camera saw'), onerror: replaceByNote });
  const button = h('button', { type: 'button', class: 'evidence', 'data-key': 'evidence', 'aria-label': say('Enlarge the picture'), onclick: () => openEvidence(name, sentence) }, image);
  void beforeAfter.use(async ({ drawBeforeAfter }) => {
    const both = await drawBeforeAfter(name);
    if (!both) return;
    button.replaceChildren(both);
    button.classList.add('both');
  });
  return button;
}

/* The card */

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
    notice && h('p', { class: 'notice' }, notice, ' ', whyButton(game, rule)),
    evidence && drawEvidence(evidence, notice || say('What the camera saw')),
    drawPutBacks(wrong),
    calls.length > 0 && h('ol', { class: 'calls' }, calls.map((call, place) => drawCall(call, sums[place], bodies, place === calls.length - 1 && whyButton(game, call.rule)))));
}

const drawCall = ({ sentence, moment }, sum, bodies, why) => h('li', { 'data-moment': moment || null },
  moment && momentSign(moment), h('span', { class: 'call-words' }, sentence), ' ', why, sum && drawSum(sum, bodies));
