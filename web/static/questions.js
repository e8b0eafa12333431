// The referee's questions: a dialog that cannot be missed, but can be laid aside.

import { pictureUrl, postJson } from './api.js';
import { closeDialog, isDialogOpen } from './dialog.js';
import { faceIcon, hasDrawing, titleIcon } from './die_faces.js';
import { byId, h, redraw, ruleTag } from './dom.js';
import { answersView, askedPictures } from './question_view.js';
import { orShowError } from './toast.js';
import { mayDecide } from './viewer.js';

const dialog = byId('question');
/** Where the table's own pictures of faces are. */
const FACES = '/faces/';

/** The number of the question that was laid aside. */
let laidAside = null;

dialog.addEventListener('cancel', (event) => event.preventDefault());

/** Show the first open question, or close the dialog if there is none, or it is laid aside. A watcher is not asked. @param {any} snapshot @param {(snapshot: any) => void} onAnswered @returns {void} */
export function showQuestion({ questions, mood, notice, rule }, onAnswered) {
  const question = mayDecide() ? questions[0] ?? null : null;
  if (!question || question.number === laidAside) {
    if (dialog.open) dialog.close();
    return;
  }
  laidAside = null;
  redraw(dialog, { questions, breach: mood === 'breach' && { notice, rule } }, (view) => drawQuestion(view, onAnswered));
  if (isDialogOpen()) closeDialog();
  if (!dialog.open) dialog.showModal();
}

/** Show a question again that was laid aside. @param {any} snapshot @param {(snapshot: any) => void} onAnswered @returns {void} */
export function reopenQuestion(snapshot, onAnswered) {
  laidAside = null;
  showQuestion(snapshot, onAnswered);
}

/** Return the sentence of a question that waits while the dialog is closed, or ''. @param {any} snapshot @returns {string} */
export const waitingQuestion = (snapshot) => (snapshot?.questions.length && !dialog.open ? snapshot.questions[0].sentence : '');

/** Call a function whenever the dialog closes. @param {() => void} act @returns {void} */
export const onQuestionClose = (act) => dialog.addEventListener('close', act);

function drawQuestion({ questions, breach }, onAnswered) {
  const [question] = questions;
  const choose = async (choice) => {
    enableButtons(false);
    const snapshot = await orShowError(postJson('/api/answer', { question: question.number, choice }));
    enableButtons(true);
    if (snapshot) onAnswered(snapshot);
  };
  const layAside = () => {
    laidAside = question.number;
    dialog.close();
  };
  return h('div', { class: `inside about-${question.topic}` },
    h('p', { class: 'kicker' }, questions.length > 1 ? `The referee asks (1 of ${questions.length})` : 'The referee asks'),
    breach && h('p', { class: 'why' }, breach.notice, ' ', ruleTag(breach.rule)),
    h('h2', { id: 'question-title' }, question.sentence),
    question.topic === 'meaning' ? drawWays(question, choose) : drawTiles(question, choose),
    h('button', { type: 'button', class: 'quiet', id: 'later', onclick: layAside }, 'Let me look at the table first'));
}

function enableButtons(on) {
  for (const button of dialog.querySelectorAll('button')) button.disabled = !on;
}

/* What happened */

function drawWays({ picture, choices }, choose) {
  return [
    picture && largePicture(picture),
    h('div', { class: 'option-buttons' }, choices.map(({ answer, title }) => drawButton(answer, title, choose))),
  ];
}

const largePicture = (name) => h('img', { class: 'large', src: pictureUrl(name), alt: 'What the camera saw', onerror: removeTarget });

const drawButton = (answer, title, choose) =>
  h('button', { type: 'button', class: 'main option-button', 'data-answer': answer, onclick: () => choose(answer) }, title);

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
      others.length > 0 && h('button', { type: 'button', id: 'other-faces', onclick: showOthers }, 'Another face')),
  ];
}

function drawAskedDice(question) {
  const pictures = askedPictures(question);
  return pictures.length > 0 && h('div', { class: pictures.length > 1 ? 'asked-dice' : 'asked-dice alone' },
    pictures.map((name) => h('img', { src: pictureUrl(name), alt: 'The die as the camera sees it', onerror: removeTarget })));
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
