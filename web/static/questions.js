// The referee's questions: a dialog that cannot be missed, but can be laid aside.

import { pictureUrl, postJson } from './api.js';
import { closeDialog, isDialogOpen } from './dialog.js';
import { hasDrawing } from './die_faces.js';
import { byId, h, redraw, ruleTag } from './dom.js';
import { faceChoice } from './table_dialogs.js';
import { orShowError } from './toast.js';
import { mayDecide } from './viewer.js';

const dialog = byId('question');

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
  return h('div', { class: 'inside' },
    h('p', { class: 'kicker' }, questions.length > 1 ? `The referee asks (1 of ${questions.length})` : 'The referee asks'),
    breach && h('p', { class: 'why' }, breach.notice, ' ', ruleTag(breach.rule)),
    h('h2', { id: 'question-title' }, question.sentence),
    question.picture && h('img', { class: 'large', src: pictureUrl(question.picture), alt: 'What the camera saw', onerror: (event) => event.target.remove() }),
    h('div', { class: question.choices.every(({ answer }) => hasDrawing(answer)) ? 'faces' : 'option-buttons' },
      question.choices.map(({ answer, title }) => drawChoice(answer, title, () => choose(answer)))),
    h('button', { type: 'button', class: 'quiet', id: 'later', onclick: layAside }, 'Let me look at the table first'));
}

function enableButtons(on) {
  for (const button of dialog.querySelectorAll('button')) button.disabled = !on;
}

function drawChoice(answer, title, choose) {
  if (hasDrawing(answer)) return faceChoice(answer, title, false, choose);
  return h('button', { type: 'button', class: 'main option-button', 'data-answer': answer, onclick: choose }, title);
}
