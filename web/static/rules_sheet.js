// The sheet of a game's rules, opened at one of them, and how the game is played, step by step with a picture.

import { getJson } from './api.js';
import { BoardPart } from './boards/board_parts.js';
import { closeButton, dialogTitle, fillDialog } from './dialog.js';
import { byId, h, orShowError, toast } from './dom.js';
import { html, render } from './html.js';
import { say } from './say.js';

/** Return the first chapter that has a rule, undefined for none. @param {{title: string, texts: {number: string}[]}[]} chapters @param {string} number @returns {{title: string, texts: {number: string}[]} | undefined} */
export const chapterOf = (chapters, number) => chapters.find(({ texts }) => texts.some((text) => text.number === number));

/** Return the place of the step that comes before or after one, within all of them. @param {number} place @param {number} by @param {number} count @returns {number} */
export const placeOfStep = (place, by, count) => Math.max(0, Math.min(count - 1, place + by));

/** Counts the requests for rules. */
let asks = 0;

/** Open the rules of a game, at the one with this number. @param {string} game @param {string} number @returns {Promise<void>} */
export async function showRules(game, number = '') {
  const rules = await fetchRules(game);
  if (!rules) return;
  fillDialog(sheet(rules, false, h('div', { class: 'rules' }, rules.chapters.map((chapter) => drawChapter(chapter, number)))));
  if (!number) return;
  const cited = /** @type {HTMLElement | null} */ (byId('dialog').querySelector('.cited'));
  cited?.scrollIntoView({ block: 'center' });
  cited?.focus({ preventScroll: true });
  if (!chapterOf(rules.chapters, number)) toast(say('Rule {number} is not in this list. Look through it.', { number }));
}

/** Tell how a game is played, from the first step. @param {string} game @returns {Promise<void>} */
export async function showHowToPlay(game) {
  const rules = await fetchRules(game);
  if (rules?.steps.length) drawSteps(rules);
  else if (rules) await showRules(game);
}

/** Resolve to the rules of a game, or to null where none came or others were asked for meanwhile. */
async function fetchRules(game) {
  const asked = (asks += 1);
  const rules = await orShowError(getJson(`/api/rules/${encodeURIComponent(game)}`));
  return asked === asks ? rules : null;
}

/** The sheet with its heading, and the way between how to play and the rules. */
const sheet = (rules, isSteps, ...children) => h('div', { class: isSteps ? 'rules-sheet stepwise' : 'rules-sheet' },
  h('header', {}, dialogTitle(isSteps ? say('How to play {game}', { game: shortTitle(rules) }) : say('Rules of {game}', { game: shortTitle(rules) })),
    rules.steps.length > 0 && h('button', { type: 'button', class: 'quiet', onclick: () => (isSteps ? showRules(rules.game) : drawSteps(rules)) }, isSteps ? say('All rules') : say('How to play')),
    closeButton(say('Close'))),
  ...children);

const shortTitle = ({ title }) => title.split(':')[0];

/* Rules */

const drawChapter = ({ title, texts }, number) => h('section', {}, title && h('h3', {}, title), texts.map((text) => drawText(text, number)));

function drawText({ number, text, rows }, cited) {
  if (rows.length) return drawTable(rows);
  if (!number) return h('p', {}, text);
  const isCited = number === cited;
  return h('p', { class: isCited ? 'numbered cited' : 'numbered', tabindex: isCited && '-1', 'data-rule': number }, h('span', { class: 'rule' }, number), ' ', h('span', {}, text));
}

const drawTable = ([head, ...rows]) => h('table', {},
  h('thead', {}, h('tr', {}, head.map((cell) => h('th', { scope: 'col' }, cell)))),
  h('tbody', {}, rows.map(([first, ...cells]) => h('tr', {}, h('th', { scope: 'row' }, first), cells.map((cell) => h('td', {}, cell))))));

/* Steps */

function drawSteps(rules) {
  const pictures = h('div', { class: 'step-picture' });
  const sentence = h('p', { class: 'step-sentence', 'aria-live': 'polite' });
  const count = h('p', { class: 'step-count' });
  const back = h('button', { type: 'button', class: 'quiet', id: 'step-back', onclick: () => go(-1) }, say('Back'));
  const next = h('button', { type: 'button', class: 'main', id: 'step-next', onclick: () => (place === last ? showRules(rules.game) : go(1)) });
  const last = rules.steps.length - 1;
  let place = 0;
  const go = (by) => {
    place = placeOfStep(place, by, rules.steps.length);
    draw();
  };
  const draw = () => {
    const step = rules.steps[place];
    sentence.textContent = step.sentence;
    count.textContent = say('{place} of {count}', { place: place + 1, count: rules.steps.length });
    /** @type {HTMLButtonElement} */ (back).disabled = place === 0;
    next.textContent = place === last ? say('All rules') : say('Next');
    render(picture(step, rules), pictures);
  };
  const turn = ({ key }) => (key === 'ArrowRight' ? go(1) : key === 'ArrowLeft' && go(-1));
  const view = sheet(rules, true, h('div', { class: 'step' }, pictures, sentence), h('footer', {}, back, count, next));
  view.addEventListener('keydown', turn);
  fillDialog(view);
  draw();
  next.focus();
}

const NOBODY = { own: 0, acting: [], mayDecide: false };

/** The parts of a picture, drawn as those of a board on which nothing may be done. */
function picture({ picture: parts }, { kinds, die_set: dieSet }) {
  const look = { kinds: new Map(kinds.map((kind) => [kind.kind, kind])), dieSet };
  const table = { players: [{ seat: 1, name: say('You') }], offers: [], look, viewer: NOBODY, unlisted: new Map(), onPlace: () => {} };
  return html`<div class="parts">${parts.map((part) => html`<${BoardPart} part=${part} seat=${0} boardTitle="" table=${table} />`)}</div>`;
}
