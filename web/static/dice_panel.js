// The dice as read: the photograph of each, its face, and the reader's confidence, by where they lie; and how one is corrected.

import { pictureUrl } from './api.js';
import { faceIcon, faceOrTitle, hasDrawing } from './die_faces.js';
import { byId, h } from './dom.js';
import { newestSnapshot } from './events.js';
import { diceLayout } from './fit.js';
import { markOf, symbolIcon } from './interventions.js';
import { tableDialogs } from './late.js';
import { say } from './say.js';
import { diceByZone, dieLabel, inOrder, isDoubtful, nextOrder, postureOf } from './table_view.js';
import { mayDecide } from './viewer.js';

/* “Wrong die?”: while it is pressed, a tap on a die that is shown asks what it really shows, also where a tap else chooses it for a board */

const OFF_WORD = say('Wrong die?');
const ON_WORD = say('Tap that die');

const button = byId('wrong-die');

const isOn = () => button.getAttribute('aria-pressed') === 'true';

function press(on) {
  button.setAttribute('aria-pressed', String(on));
  button.textContent = on ? ON_WORD : OFF_WORD;
  byId('dice').classList.toggle('to-correct', on);
}

/** Return the element of a shown die that an event is about, null for none, and while nothing is to be corrected. */
const shownDie = ({ target }) => (isOn() ? target.closest?.('#dice [data-die]:not(:disabled)') ?? null : null);

/** Let taps on dice correct them while the button is pressed. `onCorrected` gets the snapshot that follows. @param {(snapshot: any) => void} onCorrected @param {() => string} currentStep @returns {void} */
export function prepareCorrectMode(onCorrected, currentStep) {
  const table = byId('table');
  // Heard before the panel of dice, in which a tap selects and a movement drags.
  table.addEventListener('pointerdown', (event) => shownDie(event) && event.stopPropagation(), true);
  table.addEventListener('click', (event) => {
    const element = shownDie(event);
    const die = element && newestSnapshot().dice.find(({ number }) => number === Number(element.dataset.die));
    if (!die) return;
    event.stopPropagation();
    event.preventDefault();
    press(false);
    tableDialogs.use(({ openCorrection }) => openCorrection(die, onCorrected, currentStep()));
  }, true);
  button.addEventListener('click', ({ detail }) => {
    press(!isOn());
    if (isOn() && detail === 0) /** @type {HTMLElement | null} */ (byId('dice').querySelector('[data-die]:not(:disabled)'))?.focus(); // by key
  });
  table.addEventListener('keydown', (event) => event.key === 'Escape' && isOn() && (press(false), button.focus()));
}

/** Show the button while there are dice that may be corrected; without any the mode ends. @param {any} snapshot @returns {void} */
export function showCorrectMode({ state, dice }) {
  button.hidden = !mayDecide() || !state?.to_act.length;
  button.disabled = !dice.some(({ faces }) => faces.length);
  if (isOn() && (button.hidden || button.disabled)) press(false);
}

/* The panel */

const NEAR = { most: 120, least: 40, frame: { width: 10, height: 28 }, under: 28, heading: 56 };
const METER = 10;
/** What the frame of a zone is high without a heading. */
const BARE = 10;
/** Widths are rounded up to whole pixels. */
const ROUNDED = 2;
/** Under smaller dice a word would be cut: their sign and their outline say it. */
const WORDY = 60;
/** A narrower place has no room for names: they are told when a die is touched, and to screen readers. */
const PHONE = 380;
const FAR = { most: 400, least: 40, frame: { width: 10, height: 30 }, under: 0, heading: 104 };

/** Where each die stands, so that it keeps its place as long as it lies there. */
let order = new Map();
let counts = [];
/** Whether names stand under the dice: of a face that is drawn they would say the same. */
let hasNames = false;

/** Draw the dice in groups; a tap on a die opens its correction, at the step of that moment. A die without a picture has the colour of its kind. Where none lies, those that are to be thrown are outlined. @param {{dice: any[], awaited: {kind: string, count: number}[], asked: number[], kinds: {kind: string, bodies: string[]}[]}} view @param {(snapshot: any) => void} onCorrected @param {() => string} currentStep @returns {any} */
export function drawDice({ dice, awaited, asked, kinds }, onCorrected, currentStep) {
  order = nextOrder(order, dice);
  const bodies = new Map(kinds.map((each) => [each.kind, each.bodies[0]]));
  const groups = diceByZone(inOrder(order, dice, kinds.map(({ kind }) => kind)));
  counts = groups.map(({ dice: group }) => group.length);
  hasNames = dice.some(({ face, title }) => face && title && !hasDrawing(face));
  if (!dice.length) return drawAwaited(awaited.flatMap(({ kind, count }) => Array(count).fill(bodies.get(kind))));
  return groups.map(({ zone, title, dice: group }) =>
    h('div', { class: `zone ${zone}` },
      h('h2', { class: zone === 'field' && 'for-readers' }, title),
      h('div', { class: 'dice' }, group.map((die) => drawDie(die, bodies.get(die.kind), isDoubtful(die, asked), onCorrected, currentStep)))));
}

/** Draw blank dice of these bodies where the thrown ones will lie. */
function drawAwaited(bodies) {
  const none = say('No dice in sight.');
  if (!bodies.length) return h('p', { class: 'none' }, none);
  counts = [bodies.length];
  return h('div', { class: 'zone awaited-dice' },
    h('h2', { class: 'for-readers' }, none),
    h('div', { class: 'dice', 'aria-hidden': 'true' }, bodies.map((body) => h('span', { class: 'die' }, h('span', { class: 'photo' }, faceIcon('blank', 'face', body))))));
}

/** Make the dice as large as fits their place. @returns {void} */
export function sizeDice() {
  const element = byId('dice');
  const isFar = document.body.classList.contains('far');
  const style = getComputedStyle(element);
  const width = element.clientWidth - ROUNDED - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  const height = element.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
  const isNamed = hasNames && (isFar || element.clientWidth > PHONE);
  const own = isFar ? FAR : isNamed ? NEAR : { ...NEAR, under: METER };
  const limits = hasHeadings(element) ? own : { ...own, frame: { ...own.frame, height: BARE } };
  element.classList.toggle('nameless', !isNamed);
  const isCut = () => element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1;
  let layout = diceLayout(counts, { width, height }, limits);
  for (apply(element, layout); isCut() && layout.edge > limits.least; apply(element, layout)) {
    layout = diceLayout(counts, { width, height }, { ...limits, most: Math.max(limits.least, layout.edge - 2) });
  }
}

/** Return true if a heading that is seen stands over dice: screen readers alone hear that of the field. */
const hasHeadings = (element) => [...element.querySelectorAll('.zone h2')].some((heading) => getComputedStyle(heading).position !== 'absolute');

function apply(element, { edge, across }) {
  element.style.setProperty('--die', `${edge}px`);
  element.classList.toggle('wordless', edge < WORDY);
  [...element.querySelectorAll('.zone')].forEach((zone, place) => zone.style.setProperty('--across', String(across[place])));
}

function drawDie(die, body, isUnsure, onCorrected, currentStep) {
  const posture = postureOf(die);
  const mark = markOf(die);
  const state = posture ? ' leaning' : isUnsure ? ' doubtful' : '';
  return h('button', { type: 'button', class: `die${state}${mark ? ' marked' : ''}`, title: die.title, 'data-mark': die.mark, 'data-kind': die.kind, 'data-key': `die-${die.number}`, 'data-die': die.number, disabled: !die.faces.length, onclick: () => tableDialogs.use(({ openCorrection }) => openCorrection(die, onCorrected, currentStep())) },
    h('span', { class: 'photo' },
      die.crop ? h('img', { src: pictureUrl(die.crop), alt: '', loading: 'eager' }) : drawing(die, body),
      die.crop && faceIcon(die.face, 'badge', body),
      isUnsure && h('span', { class: 'question-mark', 'aria-hidden': 'true' }, '?'),
      mark && !isUnsure && symbolIcon(mark.symbol, 'mark-symbol')),
    h('span', { class: 'name', 'aria-hidden': 'true' }, die.title || '–'),
    h('span', { class: 'for-readers' }, dieLabel(die, isUnsure)),
    posture ? h('span', { class: 'posture', 'aria-hidden': 'true' }, posture) : mark ? h('span', { class: 'mark-word', 'aria-hidden': 'true' }, mark.word) : confidenceMeter(die.confidence));
}

const drawing = ({ face, title }, body) => (face ? faceOrTitle(face, title || '?', 'face', body) : faceIcon('', 'face', body));

function confidenceMeter(confidence) {
  const share = h('span', { class: 'share' });
  share.style.width = `${Math.round(confidence * 100)}%`;
  return h('span', { class: 'meter', 'aria-hidden': 'true' }, share);
}
