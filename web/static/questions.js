// The referee's questions: a dialog that cannot be missed, but can be laid aside; what it shows first, on request, and in which steps.

import { pictureUrl, postJson } from './api.js';
import { closeDialog, isDialogOpen } from './dialog.js';
import { faceIcon, faceOrTitle, hasDrawing, titleIcon } from './die_faces.js';
import { byId, h, orShowError, redraw, toast } from './dom.js';
import { drawShown, drawTray, stopShowing } from './film_player.js';
import { capitalized } from './format.js';
import { drawAsTheyLie, drawPutBacks, splitAnswers, whatToDo } from './put_back.js';
import { say, sayCount } from './say.js';
import { mayDecide } from './viewer.js';
import { ANSWER_FIRST, RULED_S, hasVirtualTray, putBack } from './virtual_tray_view.js';

/* What is shown first, what only on request, and in which small steps: values that are drawn */

/** The answers that no picture stands for: dice that look alike do not all show the same; no die of the throw is of the kind. */
const NONE_OF_THESE = ['not-all', 'none'];
/** Answers shown at once, the likeliest first; the others follow step by step. */
const MOST_ANSWERS = 4;
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

/** Return whether every answer says in a word or two what it means, such as a card or a name. */
const hasShortTitles = (answers) => answers.every(({ title }) => title.length <= SHORT_TITLE);

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

/** Return true if two values are the same. @param {any} one @param {any} other @returns {boolean} */
export const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/* Answers to what happened: each a button with a small picture of what it makes of the table */

/** Draw answers as buttons; what `all` answers of the question share is drawn once, above. */
function drawAnswers(answers, all, players, choose) {
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

const drawDie = ({ face, title }) => h('span', { class: face ? 'small-die' : 'small-die in-hand' }, face ? faceOrTitle(face, title) : '?');

/* The menu, in place of the question */

/**
 * @typedef {{canUndo: boolean, undo: () => void, agree: () => void, newGame: () => void}} TableMenu
 */

/** Draw the menu in place of the question. */
function drawQuestionMenu({ canUndo, undo, agree, newGame }, back) {
  return h('div', { class: 'inside question-menu' },
    h('h2', { id: 'question-title' }, say('Menu')),
    h('p', {}, say('The question waits until you are back.')),
    h('div', { class: 'option-buttons' },
      h('button', { type: 'button', class: 'option-button', id: 'menu-undo', disabled: !canUndo, onclick: undo }, say('Take back the last step')),
      h('button', { type: 'button', class: 'option-button', id: 'menu-agree', onclick: agree }, say('Somebody leaves, or a throw does not count')),
      h('button', { type: 'button', class: 'option-button', id: 'menu-new-game', onclick: newGame }, say('New game'))),
    h('button', { type: 'button', class: 'main', id: 'back-to-question', 'data-key': 'menu', onclick: back }, say('Back to the question')));
}

/* The dialog */

const dialog = byId('question');
/** Where the table's own pictures of faces are. */
const FACES = '/faces/';

/** The number of the question that was laid aside. */
let laidAside = null;
/** What was opened of the question of that number: 'else' with the steps taken there, 'show', or 'menu'. */
let opened = { number: null, part: '', steps: [] };
let lastShown = null;
/** When what the tray's hand lays will have been seen, in milliseconds of the page. */
let seenLaid = 0;

dialog?.addEventListener('cancel', (event) => event.preventDefault());
dialog?.addEventListener('click', ({ target }) => target === dialog && toast(ANSWER_FIRST));

/** Show the first open question, or close the dialog if there is none, or it is laid aside. A watcher is not asked. @param {any} snapshot @param {(snapshot: any) => void} onAnswered @param {Omit<TableMenu, 'canUndo'>} menu @returns {void} */
export function showQuestion(snapshot, onAnswered, menu) {
  const { questions, mood, notice, evidence, held_throws: held, put_back: wrong, state, dice, tray_picture: tray } = snapshot;
  const question = mayDecide() ? questions[0] ?? null : null;
  if (!question || question.number === laidAside) {
    if (dialog.open) dialog.close();
    stopShowing();
    return;
  }
  laidAside = null;
  if (opened.number !== question.number) opened = { number: question.number, part: '', steps: [] };
  lastShown = () => showQuestion(snapshot, onAnswered, menu);
  const rings = ringsOf(question, dice, wrong);
  const looks = dice.map(({ number, face, title, crop, zone }) => ({ number, face, title, crop, zone }));
  const canUndo = Boolean(snapshot.take_back);
  redraw(dialog, { questions, held, wrong, state, rings, looks, tray, opened, canUndo, isLaying: performance.now() < seenLaid, breach: mood === 'breach' && { notice, evidence } }, (view) => drawQuestion(view, onAnswered, menu));
  if (dialog.open) return; // a dialog over it was opened from its own menu
  if (isDialogOpen()) closeDialog();
  dialog.showModal();
}

/** Show a question again that was laid aside. @param {any} snapshot @param {(snapshot: any) => void} onAnswered @param {Omit<TableMenu, 'canUndo'>} menu @returns {void} */
export function reopenQuestion(snapshot, onAnswered, menu) {
  laidAside = null;
  showQuestion(snapshot, onAnswered, menu);
}

/** Open a part of the question, or close it (''). */
function open(part, steps = []) {
  opened = { ...opened, part, steps };
  lastShown();
}

function drawQuestion(view, onAnswered, menu) {
  const { questions, held, breach, canUndo } = view;
  const [question] = questions;
  const choose = async (choice, confirmed = false) => {
    enableButtons(false);
    const snapshot = await orShowError(postJson('/api/answer', { question: question.number, choice, confirmed }));
    enableButtons(true);
    if (snapshot) onAnswered(snapshot);
  };
  const layAside = () => {
    laidAside = question.number;
    dialog.close();
  };
  const picture = drawPicture(view);
  const canShow = Boolean(picture || breach?.evidence || view.tray);
  if (opened.part === 'show' && canShow) return drawLarge(view);
  stopShowing();
  if (opened.part === 'menu') return drawQuestionMenu({ ...menu, canUndo }, () => open(''));
  return h('div', { class: `inside about-${question.topic}${picture ? ' with-tray' : ''}` },
    h('p', { class: 'kicker' }, questions.length > 1 ? say('The referee asks (1 of {count})', { count: questions.length }) : say('The referee asks')),
    breach && h('p', { class: 'why' }, breach.notice),
    h('h2', { id: 'question-title' }, titleOf(view)),
    held > 0 && h('p', { class: 'throws-wait' }, waitingThrows(held)),
    picture,
    h('div', { class: 'answer-part' }, ...[drawAnswerPart({ ...view, question, choose, layAside })].flat(Infinity)),
    h('div', { class: 'below' },
      canShow && h('button', { type: 'button', class: 'quiet', id: 'show-me', 'data-key': 'show-me', onclick: () => open('show') }, say('Show me')),
      h('button', { type: 'button', class: 'quiet', id: 'later', 'data-key': 'later', onclick: layAside }, say('Look at the table first')),
      h('button', { type: 'button', class: 'quiet', id: 'question-menu', 'data-key': 'menu', onclick: () => open('menu') }, say('Menu'))));
}

/** Return the sentence of the question: it names the player; of dice that lie wrong the rows say which. */
function titleOf({ questions: [question], wrong, state, breach }) {
  const players = state?.players ?? [];
  const name = players.find(({ seat }) => seat === question.seat)?.name ?? '';
  const sentence = question.topic === 'put-back' && (breach || wrong.length) ? whatToDo(wrong) : question.sentence;
  return addressed(sentence, name, players.map((player) => player.name));
}

/** Draw the tray with the dice in question ringed; where nothing is known of it, the picture that was kept. */
function drawPicture({ questions: [question], tray, rings }) {
  if (tray && rings.length) return drawTray(pictureUrl(tray), rings);
  return question.picture && ['meaning', 'leaning'].includes(question.topic) ? h('img', { class: 'large', src: pictureUrl(question.picture), alt: say('What the camera saw'), onerror: removeTarget }) : null;
}

/** Draw what happened, as large as it can be: as a film, and before and after; the tray alone where that is all there is. */
function drawLarge({ questions: [question], tray, rings, breach }) {
  const still = tray ? drawTray(pictureUrl(tray), rings) : h('img', { class: 'large', src: pictureUrl(question.picture || breach.evidence), alt: say('What the camera saw'), onerror: removeTarget });
  return h('div', { class: 'inside shown-large' },
    h('h2', { id: 'question-title', class: 'unseen' }, question.sentence),
    drawShown(question.number, still),
    h('button', { type: 'button', class: 'main', id: 'back-to-question', 'data-key': 'show-me', onclick: () => open('') }, say('Back')));
}

function drawAnswerPart(view) {
  if (view.question.topic === 'put-back') return drawWrong(view);
  if (view.question.topic === 'leaning') return drawLeaning(view);
  return view.question.topic === 'meaning' ? drawWays(view) : drawTiles(view.question, view.choose);
}

function enableButtons(on) {
  for (const button of dialog.querySelectorAll('button')) button.disabled = !on;
}

/* Dice that lie wrong: put right, which is noticed by itself, or gone on with */

async function letHandLayBack(wrong, layAside) {
  const found = await putBack();
  if (!found) return;
  if (!wrong.length) return layAside();
  seenLaid = performance.now() + 1000 * (found.rests_in + RULED_S);
  lastShown();
  setTimeout(() => dialog.open && lastShown(), seenLaid - performance.now());
}

function drawWrong({ question, wrong, looks, state, isLaying, choose, layAside }) {
  const { own, denials, asTheyLie } = waysOf(question);
  const isThrownAgain = denials.length > 0 && !wrong.length;
  return [
    drawPutBacks(wrong, looks),
    h('div', { class: hasVirtualTray() ? 'option-buttons two-ways' : 'option-buttons' },
      own.map(({ answer, title }) => drawButton(answer, title, choose)),
      hasVirtualTray() && !isThrownAgain && h('button', { type: 'button', class: 'main option-button', id: 'lay-them-back', disabled: isLaying, onclick: () => letHandLayBack(wrong, layAside) }, say('Put them back for me')),
      !own.length && h('button', { type: 'button', class: hasVirtualTray() && !isThrownAgain ? 'option-button' : 'main option-button', id: 'put-back', onclick: layAside }, isThrownAgain ? say('All right') : say('The dice are put back'))),
    drawDenials(denials, choose),
    asTheyLie && drawAsTheyLie(asTheyLie, wrong, state, choose),
  ];
}

function waysOf(question) {
  const { answers, others, denials, asTheyLie } = waysView(question);
  return { own: [...answers, ...others], denials, asTheyLie };
}

const drawDenials = (denials, choose) => denials.map(({ answer, title }) => h('button', { type: 'button', class: 'quiet denial', 'data-answer': answer, onclick: () => choose(answer) }, title));

const drawButton = (answer, title, choose) =>
  h('button', { type: 'button', class: 'main option-button', 'data-answer': answer, onclick: () => choose(answer) }, title);

/* Dice that lean: thrown again or set down, which is noticed by itself, or said to lie flat */

function drawLeaning({ question, rings, tray, choose, layAside }) {
  const isPictured = Boolean(question.picture) || (tray && rings.length > 0);
  return [
    !isPictured && drawAskedDice(question),
    h('div', { class: 'option-buttons' }, h('button', { type: 'button', class: 'main option-button', id: 'as-told', onclick: layAside }, say('All right'))),
    drawDenials(question.choices, choose),
  ];
}

/* What happened */

function drawWays({ question, wrong, looks, state, rings, tray, choose }) {
  const { answers, others, denials, asTheyLie } = waysView(question);
  const players = state?.players ?? [];
  const hasElse = others.length + denials.length > 0 || Boolean(asTheyLie);
  const isPictured = Boolean(question.picture) || (tray && rings.length > 0);
  if (opened.part === 'else' && hasElse) return drawElse({ question, wrong, state, choose });
  return [
    drawPutBacks(wrong, looks),
    !isPictured && !wrong.length && drawAskedDice(question),
    drawAnswers(answers, [...answers, ...others], players, choose),
    hasElse && h('button', { type: 'button', class: 'something-else', id: 'something-else', 'data-key': 'else', onclick: () => open('else') }, say('Something else')),
  ];
}

/** Draw what else it may have been: one small step after another; and last that it was none of it. */
function drawElse({ question, wrong, state, choose }) {
  const { others, denials, asTheyLie } = waysView(question);
  const players = state?.players ?? [];
  const { sentence, options, answers, hasMore } = elseView(others, players, opened.steps);
  const isFirst = !opened.steps.length;
  return [
    sentence && h('h3', {}, sentence),
    options.length > 0 && h('div', { class: 'option-buttons answers' }, options.map((option) => drawStep(option, choose))),
    answers.length > 0 && drawAnswers(answers, others, players, choose),
    hasMore && h('button', { type: 'button', class: 'something-else', id: 'more-answers', onclick: () => open('else', [...opened.steps, MORE]) }, say('Something else')),
    isFirst && drawDenials(denials, choose),
    isFirst && asTheyLie && drawAsTheyLie(asTheyLie, wrong, state, choose),
    h('button', { type: 'button', class: 'quiet', id: 'back-a-step', 'data-key': 'else', onclick: () => (isFirst ? open('') : open('else', opened.steps.slice(0, -1))) }, say('Back')),
  ];
}

function drawStep(option, choose) {
  const { title, dice, answers } = option;
  const take = () => (answers.length === 1 ? choose(answers[0].answer) : open('else', [...opened.steps, optionKey(option)]));
  return h('button', { type: 'button', class: 'main option-button', 'data-step': title, 'aria-label': [title, ...dice.map((die) => die.title)].join(', '), onclick: take },
    drawDice(dice), h('span', { class: 'answer-words' }, title));
}

/* What dice show, and which die is of a kind */

function drawTiles(question, choose) {
  const { tiles, split, others } = answersView(question);
  const more = h('div', { class: 'tiles more', hidden: true }, others.map((choice) => drawTile(choice, choose, 'lazy')));
  const showOthers = (event) => {
    more.hidden = false;
    event.target.remove();
    more.querySelector('button')?.focus();
  };
  return [
    drawAskedDice(question),
    h('div', { class: 'tiles' }, tiles.map((choice) => drawTile(choice, choose))),
    more,
    (split || others.length > 0) && h('div', { class: 'instead' },
      split && h('button', { type: 'button', 'data-answer': split.answer, onclick: () => choose(split.answer) }, split.title),
      others.length > 0 && h('button', { type: 'button', id: 'other-faces', onclick: showOthers }, question.topic === 'kind' ? say('Another die') : say('Another face'))),
  ];
}

function drawAskedDice(question) {
  const pictures = askedPictures(question);
  return pictures.length > 0 && h('div', { class: pictures.length > 1 ? 'asked-dice' : 'asked-dice alone' },
    pictures.map((name) => h('img', { src: pictureUrl(name), alt: say('The die as the camera sees it'), onerror: removeTarget })));
}

/** Draw an answer with its picture; a drawing, or its title, stands there until the picture is loaded, and where there is none. */
function drawTile({ answer, title, picture }, choose, loading = 'eager') {
  const isFace = picture.startsWith(FACES);
  const drawing = hasDrawing(answer) ? faceIcon(answer) : isFace && titleIcon(title);
  const photo = picture && h('img', { src: picture, alt: '', loading, onerror: removeTarget });
  const name = isFace ? { 'data-face': answer } : { 'data-answer': answer };
  return h('button', { type: 'button', class: 'tile', ...name, onclick: () => choose(answer) },
    (drawing || photo) && h('span', { class: 'look' }, drawing, photo),
    h('span', { class: 'title' }, title));
}

const removeTarget = (event) => event.target.remove();
