// The referee's questions: a dialog that cannot be missed, but can be laid aside.

import { drawAnswers, drawDice } from './answer_buttons.js';
import { pictureUrl, postJson } from './api.js';
import { closeDialog, isDialogOpen } from './dialog.js';
import { faceIcon, hasDrawing, titleIcon } from './die_faces.js';
import { byId, h, redraw, ruleTag } from './dom.js';
import { drawAsTheyLie, drawPutBacks } from './put_back.js';
import { whatToDo } from './put_back_view.js';
import { drawQuestionMenu } from './question_menu.js';
import { addressed, answersView, askedPictures, elseView, MORE, optionKey, ringsOf, waitingThrows, waysView } from './question_view.js';
import { say } from './say.js';
import { drawShown, stopShowing } from './show_me.js';
import { orShowError } from './toast.js';
import { drawTray } from './tray_picture.js';
import { hasVirtualTray, putBack } from './tray_put_back.js';
import { mayDecide } from './viewer.js';

const dialog = byId('question');
/** Where the table's own pictures of faces are. */
const FACES = '/faces/';

/** The number of the question that was laid aside. */
let laidAside = null;
/** What was opened of the question of that number: 'else' with the steps taken there, 'show', or 'menu'. */
let opened = { number: null, part: '', steps: [] };
let lastShown = null;

dialog.addEventListener('cancel', (event) => event.preventDefault());

/** Show the first open question, or close the dialog if there is none, or it is laid aside. A watcher is not asked. @param {any} snapshot @param {(snapshot: any) => void} onAnswered @param {Omit<import('./question_menu.js').TableMenu, 'canUndo'>} menu @returns {void} */
export function showQuestion(snapshot, onAnswered, menu) {
  const { questions, mood, notice, rule, evidence, held_throws: held, put_back: wrong, state, dice, tray_picture: tray } = snapshot;
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
  redraw(dialog, { questions, held, wrong, state, rings, looks, tray, opened, canUndo, breach: mood === 'breach' && { notice, rule, evidence } }, (view) => drawQuestion(view, onAnswered, menu));
  if (dialog.open) return; // a dialog over it was opened from its own menu
  if (isDialogOpen()) closeDialog();
  dialog.showModal();
}

/** Show a question again that was laid aside. @param {any} snapshot @param {(snapshot: any) => void} onAnswered @param {Omit<import('./question_menu.js').TableMenu, 'canUndo'>} menu @returns {void} */
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
    breach && h('p', { class: 'why' }, breach.notice, ' ', ruleTag(breach.rule)),
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

function drawWrong({ question, wrong, looks, state, choose, layAside }) {
  const { own, denials, asTheyLie } = waysOf(question);
  const isThrownAgain = denials.length > 0 && !wrong.length;
  return [
    drawPutBacks(wrong, looks),
    h('div', { class: hasVirtualTray() ? 'option-buttons two-ways' : 'option-buttons' },
      own.map(({ answer, title }) => drawButton(answer, title, choose)),
      hasVirtualTray() && !isThrownAgain && h('button', { type: 'button', class: 'main option-button', id: 'lay-them-back', onclick: async () => (await putBack()) && !wrong.length && layAside() }, say('Put them back for me')),
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
