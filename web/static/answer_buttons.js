// The answers to what happened: each a button with a small picture of what it makes of the table.

import { faceIcon, hasDrawing, titleIcon } from './die_faces.js';
import { h } from './dom.js';
import { capitalized } from './format.js';
import { endWords, hasShortTitles, ownSteps, sharedThrow } from './question_view.js';
import { say } from './say.js';

/** Draw answers as buttons; what `all` answers of the question share is drawn once, above. @param {any[]} answers @param {any[]} all @param {any[]} players @param {(answer: string) => void} choose @returns {any[]} */
export function drawAnswers(answers, all, players, choose) {
  const shared = sharedThrow(all);
  const isShort = hasShortTitles(all);
  return [
    shared && h('div', { class: 'shared-throw' }, drawChange(shared)),
    h('div', { class: 'option-buttons answers' }, answers.map((answer) => drawAnswer(answer, { answers: all, shared, players, choose, isShort }))),
  ];
}

function drawAnswer(answer, { answers, shared, players, choose, isShort }) {
  const own = isShort ? [] : ownSteps(answer, answers);
  const words = isShort ? answer.title : own.length ? capitalized(own.map(({ title }) => title).reduce((first, then) => say('{first}, then {then}', { first, then }))) : answer.steps.length && answers.length > 1 ? say('Nothing before it') : answer.title;
  const end = endWords(answer, answers, players);
  return h('button', { type: 'button', class: 'main option-button', 'data-answer': answer.answer, 'aria-label': answer.title, onclick: () => choose(answer.answer) },
    shared ? drawDice(own.filter(({ dice }) => !isSame(dice, shared.after)).flatMap(({ dice }) => dice)) : drawChange(answer),
    h('span', { class: 'answer-words' }, words),
    end && h('span', { class: 'answer-end' }, end));
}

/** Draw dice before and after, with an arrow between them. @param {{before: any[], after: any[]}} change @returns {any} */
function drawChange({ before, after }) {
  if (!after.length) return false;
  return h('span', { class: 'change', 'aria-hidden': 'true' }, drawDice(before, 'before'), before.length > 0 && h('span', { class: 'arrow' }, '→'), drawDice(after, 'after'));
}

/** Draw a small row of dice; one without a face is thrown again. @param {any[]} dice @param {string} name @returns {any} */
export const drawDice = (dice, name = '') => dice.length > 0 && h('span', { class: `dice-row ${name}`, 'aria-hidden': 'true' }, dice.map(drawDie));

const drawDie = ({ face, title }) => h('span', { class: face ? 'small-die' : 'small-die in-hand' }, face ? (hasDrawing(face) ? faceIcon(face) : titleIcon(title)) : '?');

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
