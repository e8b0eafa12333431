// Sheets that come up over the table: a correction, a question, a picture, a row, the chances.

import { tell } from './api.js';
import { byId, h, picture, ruleTag, toast } from './dom.js';
import { faceIcon, isFace } from './die_faces.js';
import { mayDecide } from './own_seat.js';
import { cancel, close, fill, isOpen, live, open, title, whenClosed } from './dialog.js';

const questionSheet = byId('question');

/** Show a picture large. */
export function enlarge(name, sentence) {
  open(title(sentence), h('img', { class: 'large', src: picture(name), alt: sentence }), cancel('Close'));
}

/** A piece of evidence: small, to be enlarged; or the word that it is no longer kept. */
export function evidence(name, sentence) {
  const gone = () => button.replaceWith(h('p', { class: 'gone' }, 'The picture is no longer kept.'));
  const image = h('img', { src: picture(name), alt: 'What the camera saw', onerror: gone });
  const button = h('button', { type: 'button', class: 'evidence', 'data-key': 'evidence', 'aria-label': 'Enlarge the picture', onclick: () => enlarge(name, sentence) }, image);
  return button;
}

/** What may be done with a row of a board; `act(offer)` does it. */
export function openRow({ seat, row, title: heading, columns, cells }, act) {
  const known = columns.map((column, place) => [column, cells[place]]).slice(1).filter(([, cell]) => cell);
  const detail = h('dl', { class: 'facts' }, known.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
  const choose = (offer) => {
    close();
    act(offer);
  };
  live(`/api/offers?${new URLSearchParams({ seat, row })}`, ({ offers }) => {
    if (!offers.length) return close();
    return fill(h('p', { class: 'kicker' }, heading), title(cells[0]), known.length > 0 && detail,
      h('div', { class: offers.length > 4 ? 'ways many' : 'ways' }, offers.map((offer) =>
        h('button', { type: 'button', class: offer.grave ? 'grave way' : 'main way', 'data-action': offer.action, onclick: () => choose(offer) }, offer.title))),
      cancel('Close'));
  });
}

/** What chance gives for where the game stands, worked out when asked. */
export function openChances() {
  live('/api/odds', ({ chances }) => fill(
    title('Chances'),
    chances.length
      ? h('ul', { class: 'chances' }, chances.map(({ what, figure, advised }) =>
        h('li', { class: advised && 'advised' }, h('span', {}, what, advised && h('em', {}, 'advised')), h('strong', {}, figure))))
      : h('p', {}, 'Chance has no say in what is to be done now.'),
    cancel('Close'),
  ));
}

let corrected = null;

/** Say what a die really shows, as the table stood at that step. */
export function correct(die, answered, step) {
  const choose = async (face) => {
    close();
    const snapshot = await tell('/api/correct', { die: die.number, face, step });
    if (snapshot) answered(snapshot);
  };
  open(
    h('div', { class: 'about' }, portrait(die), h('div', {}, title('What does this die show?'), h('p', {}, read(die)))),
    h('div', { class: 'faces' }, die.faces.map(({ face, title }) => faceButton(face, title, face === die.face, () => choose(face)))),
    cancel('Leave it as it is'),
  );
  corrected = die;
}

whenClosed(() => (corrected = null));

/** Close the correction of a die that is no longer on the table, or is read otherwise by now. */
export function forgetOld(dice) {
  if (corrected === null || dice.some((die) => isSame(die, corrected))) return;
  close();
  toast('That die was thrown or read anew meanwhile: look again, then tap it.');
}

const isSame = (die, other) => die.number === other.number && die.face === other.face && die.confidence === other.confidence;

function read(die) {
  const sure = `${Math.floor(die.confidence * 100)} % sure`;
  return die.face ? `The referee reads: ${die.title}, ${sure}.` : 'The referee cannot read it.';
}

const portrait = (die) =>
  die.crop ? h('img', { class: 'portrait', src: picture(die.crop), alt: 'The die as the camera sees it' }) : faceIcon(die.face, 'portrait');

export function faceButton(face, name, now, act) {
  return h('button', { type: 'button', class: now ? 'face-choice now' : 'face-choice', 'aria-pressed': String(now), 'data-face': face, onclick: act }, faceIcon(face), name);
}

let waiting = null;
let laidAside = null;

questionSheet.addEventListener('cancel', (event) => event.preventDefault());

/**
 * Bring up the first open question, or take the sheet away when none is open. A breach is said above its question.
 * Who only watches is not asked.
 */
export function askFirst({ questions, mood, notice, rule }, answered) {
  waiting = mayDecide() ? questions[0] ?? null : null;
  if (!waiting || waiting.number === laidAside) {
    if (questionSheet.open) questionSheet.close();
    return;
  }
  laidAside = null;
  drawQuestion(questions, mood === 'breach' && { notice, rule }, answered);
  if (isOpen()) close();
  if (!questionSheet.open) questionSheet.showModal();
}

/** Bring a question back that was laid aside. */
export function askAgain(snapshot, answered) {
  laidAside = null;
  askFirst(snapshot, answered);
}

function drawQuestion(questions, breach, answered) {
  const text = JSON.stringify([questions, breach]);
  if (questionSheet.dataset.shown === text) return;
  questionSheet.dataset.shown = text;
  const question = questions[0];
  const choose = async (choice) => {
    for (const button of questionSheet.querySelectorAll('button')) button.disabled = true;
    const snapshot = await tell('/api/answer', { question: question.number, choice });
    for (const button of questionSheet.querySelectorAll('button')) button.disabled = false;
    if (snapshot) answered(snapshot);
  };
  const later = () => {
    laidAside = question.number;
    questionSheet.close();
  };
  questionSheet.replaceChildren(
    h('div', { class: 'inside' },
      h('p', { class: 'kicker' }, questions.length > 1 ? `The referee asks (1 of ${questions.length})` : 'The referee asks'),
      breach && h('p', { class: 'why' }, breach.notice, ' ', ruleTag(breach.rule)),
      h('h2', { id: 'question-title' }, question.sentence),
      question.picture && h('img', { class: 'large', src: picture(question.picture), alt: 'What the camera saw', onerror: (event) => event.target.remove() }),
      h('div', { class: question.choices.every(({ answer }) => isFace(answer)) ? 'faces' : 'ways' },
        question.choices.map(({ answer, title }) => choice(answer, title, () => choose(answer)))),
      h('button', { type: 'button', class: 'quiet', id: 'later', onclick: later }, 'Let me look at the table first'),
    ),
  );
}

function choice(answer, title, act) {
  if (isFace(answer)) return faceButton(answer, title, false, act);
  return h('button', { type: 'button', class: 'main way', 'data-answer': answer, onclick: act }, title);
}

