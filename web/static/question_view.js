// What a question shows first, what only on request, and in which small steps: values that are drawn. No DOM.

import { splitAnswers } from './put_back_view.js';
import { say, sayCount } from './say.js';

/** The answers that no picture stands for: dice that look alike do not all show the same; no die of the throw is of the kind. */
const NONE_OF_THESE = ['not-all', 'none'];
/** Answers shown at once, the likeliest first; the others follow step by step. */
export const MOST_ANSWERS = 4;
/** Answers whose titles have at most this many letters are shown whole, not step by step. */
const SHORT_TITLE = 16;
/** The step to the next answers of the same list. */
export const MORE = 'more';
/** Words that begin a sentence, and are written small after a name. */
const OPENERS = /^(What|Which|Who|Was|Were|Did|Do|Does|Has|Have|Is|Are|The|These|Those|This|Put|How|Before|Leaning|Dice|Two|Three)\b/;

/**
 * Return a question's answers: the likeliest as tiles, the one that none of them is right, and the others. That a die is
 * none of those shown is said of all of them: it stands last among the others, where there are any.
 * @param {any} question @returns {{tiles: any[], split: any | null, others: any[]}}
 */
export function answersView({ topic, choices }) {
  const none = choices.find(({ answer }) => NONE_OF_THESE.includes(answer)) ?? null;
  const shown = choices.filter((choice) => choice !== none);
  const others = shown.filter(({ likely }) => !likely);
  const isLast = topic === 'kind' && none && others.length > 0;
  return { tiles: shown.filter(({ likely }) => likely), split: isLast ? null : none, others: isLast ? [...others, none] : others };
}

/** Return the pictures of the dice that a question is about, unless they are its answers. @param {any} question @returns {string[]} */
export const askedPictures = ({ topic, crops }) => (topic === 'kind' ? [] : crops.filter(Boolean));

/** Return the line about throws that wait for the answer, '' for none. @param {number} count @returns {string} */
export const waitingThrows = (count) => (count ? sayCount('{count} throw waits for your answer. Nothing of it is lost.', '{count} throws wait for your answer. Nothing of it is lost.', count) : '');

/** Return the dice that are asked about. @param {any[]} questions @returns {number[]} */
export const askedDice = (questions) => questions.flatMap(({ dice }) => dice);

/** Return a sentence that begins with the name of the player whom it is about, unless it names one of the players already. @param {string} sentence @param {string} name @param {string[]} names of all players @returns {string} */
export function addressed(sentence, name, names = [name]) {
  if (!name || names.some((each) => sentence.split(/[ ?,:;.]/).includes(each))) return sentence;
  if (!OPENERS.test(sentence)) return `${name}: ${sentence}`;
  return `${name}, ${sentence[0].toLowerCase()}${sentence.slice(1)}`;
}

/** Return where dice lie in the picture of the tray: those that are asked about, else those that lie wrong. @param {any} question @param {any[]} dice @param {any[]} wrong @returns {any[]} */
export function ringsOf(question, dice, wrong) {
  const numbers = question.topic === 'put-back' && wrong.length ? wrong.map(({ die }) => die) : question.dice;
  const ringed = numbers.length ? numbers : wrong.map(({ die }) => die);
  return dice.filter(({ number, ring }) => ring && ringed.includes(number)).map(({ ring }) => ring);
}

/**
 * Return the answers about what happened: those shown at once, and what "Something else" opens: further ways, answers
 * that deny all of it, and going on as the dice lie.
 * @param {any} question @returns {{answers: any[], others: any[], denials: any[], asTheyLie: any | null}}
 */
export function waysView({ choices }) {
  const { own, denials, asTheyLie } = splitAnswers(choices);
  return { answers: own.slice(0, MOST_ANSWERS), others: own.slice(MOST_ANSWERS), denials, asTheyLie };
}

/** Return what was thrown by every one of these answers, and what lay there before; null where they differ. @param {any[]} answers @returns {{before: any[], after: any[]} | null} */
export function sharedThrow(answers) {
  const ways = answers.filter(({ steps }) => steps.length);
  const first = ways[0];
  const isShared = ways.length > 1 && first.after.length > 0 && ways.every(({ before, after }) => isSame([before, after], [first.before, first.after]));
  return isShared ? { before: first.before, after: first.after } : null;
}

/** Return the steps of an answer that not all of these answers share; where that is none, nothing was done before. @param {any} answer @param {any[]} answers @returns {any[]} */
export function ownSteps({ steps }, answers) {
  const ways = answers.map((each) => each.steps).filter(({ length }) => length);
  const isShared = (step) => ways.every((others) => others.some((other) => isSame(step, other)));
  return ways.length > 1 ? steps.filter((step) => !isShared(step)) : steps;
}

/** Return what follows from an answer in a few words, where that is not the same for all of them; else ''. @param {any} answer @param {any[]} answers @param {any[]} players @returns {string} */
export function endWords(answer, answers, players) {
  const ways = answers.filter(({ steps }) => steps.length);
  if (!answer.steps.length || ways.every(({ turn, points }) => turn === answer.turn && points === answer.points)) return '';
  const name = players.find(({ seat }) => seat === answer.turn)?.name;
  const points = answer.points ? say('{points} this turn', { points: answer.points }) : '';
  return answer.turn && answer.turn === answer.seat ? points || say('{name} goes on', { name }) : [points, name && say('{name} is next', { name })].filter(Boolean).join(', ');
}

/**
 * Return the next small step among several ways: who threw, what was done, or which dice; null where one of them is
 * left, or nothing tells them apart.
 * @param {any[]} answers @param {any[]} players @returns {{sentence: string, options: {title: string, dice: any[], answers: any[]}[]} | null}
 */
export function nextStep(answers, players) {
  if (answers.length < 2 || answers.some(({ steps }) => !steps.length)) return null;
  const byThrower = grouped(answers, ({ seat }) => ({ title: players.find((player) => player.seat === seat)?.name ?? '', dice: [] }));
  if (byThrower.length > 1) return { sentence: say('Who threw?'), options: byThrower };
  const length = Math.max(...answers.map(({ steps }) => steps.length));
  for (let place = 0; place < length; place += 1) {
    const byTitle = grouped(answers, ({ steps }) => ({ title: steps[place]?.title ?? say('Nothing more'), dice: [] }));
    if (byTitle.length > 1) return { sentence: place ? say('What then?') : say('What was done first?'), options: byTitle };
    const byDice = grouped(answers, ({ steps }) => ({ title: steps[place]?.title ?? '', dice: steps[place]?.dice ?? [] }));
    if (byDice.length > 1) return { sentence: say('Which dice?'), options: byDice };
  }
  return null;
}

/**
 * Return what "Something else" shows after the steps that were taken there: at most four answers, or four options of the
 * next small step, and whether there are more of them.
 * @param {any[]} others @param {any[]} players @param {string[]} steps each the key of an option, or MORE
 * @returns {{sentence: string, options: any[], answers: any[], hasMore: boolean}}
 */
export function elseView(others, players, steps) {
  let left = others;
  let from = 0;
  for (const step of steps) {
    const chosen = smallStep(left, players)?.options.find((option) => optionKey(option) === step);
    from = step === MORE ? from + MOST_ANSWERS : 0;
    left = chosen?.answers ?? left;
  }
  const step = smallStep(left, players);
  const all = step?.options ?? left;
  const shown = all.slice(from, from + MOST_ANSWERS);
  return { sentence: step?.sentence ?? '', options: step ? shown : [], answers: step ? [] : shown, hasMore: all.length > from + MOST_ANSWERS };
}

const smallStep = (answers, players) => (hasShortTitles(answers) ? null : nextStep(answers, players));

/** Return whether every answer says in a word or two what it means, such as a card or a name. @param {any[]} answers @returns {boolean} */
export const hasShortTitles = (answers) => answers.every(({ title }) => title.length <= SHORT_TITLE);

/** Return what an option of a small step is known by. @param {any} option @returns {string} */
export const optionKey = ({ title, dice }) => JSON.stringify([title, dice]);

function grouped(answers, keyOf) {
  const groups = new Map();
  for (const answer of answers) {
    const key = keyOf(answer);
    const text = JSON.stringify(key);
    groups.set(text, { ...key, answers: [...(groups.get(text)?.answers ?? []), answer] });
  }
  return [...groups.values()];
}

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
