// The sheet of a past throw: its film, its dice as they were read, and what would follow if one showed another face.

import { getJson, postJson } from './api.js';
import { closeButton, closeDialog, dialogTitle, onDialogClose, openDialog } from './dialog.js';
import { faceIcon } from './die_faces.js';
import { byId, h, orShowError, toast } from './dom.js';
import { filmPlayer } from './film_player.js';
import { listed } from './format.js';
import { say } from './say.js';
import { faceChoice } from './table_dialogs.js';
import { mayDecide } from './viewer.js';

const HANDLED = {
  placed: say('It may have been set down.'),
  turned: say('It was turned in its place.'),
  returned: say('It left the tray and came back.'),
  unseen: say('It was out of sight meanwhile.'),
};

/** Return how sure the reader was of a die, in words. @param {any} die @returns {string} */
export function readingOf({ confidence, read }) {
  if (confidence === null) return say('No reading was kept.');
  const percent = Math.floor(confidence * 100);
  return read ? say('Read as {face}, {percent} % sure', { face: read, percent }) : say('{percent} % sure', { percent });
}

/** Return which other faces were likely. @param {any} die @returns {string} */
export const runnersUp = ({ runners_up: others }) =>
  others.filter(({ share }) => share >= 0.005).slice(0, 2).map(({ title, share }) => `${title} ${Math.round(share * 100)} %`).join(', ');

/** Return why it is not certain that a die was thrown, or ''. @param {any} die @returns {string} */
export const handledNote = ({ handled }) => HANDLED[handled] ?? '';

/** Return the faces that dice are said to show, by their places, as the API takes them. @param {Map<number, string>} faces @returns {string} */
export const facesText = (faces) => [...faces].sort(([one], [other]) => one - other).map(([place, face]) => `${place}:${face}`).join(' ');

/** Return the scores that change, each with its step. @param {any} found @returns {{name: string, now: number, then: number, step: string}[]} */
export const scoreRows = ({ scores }) =>
  scores.map(({ name, now, then }) => ({ name, now, then, step: now === then ? '' : `${then > now ? '+' : '−'}${Math.abs(then - now)}` }));

/** Return what becomes of an entry, in words. @param {any} row @returns {string} */
export function consequenceText({ then, refusal, carried, now }) {
  if (refusal) return say('Could not have been: {refusal}', { refusal });
  if (carried) return say('{then} (with the other face)', { then });
  return then === now ? say('The same, with other scores.') : then;
}

/** The sheet that is open: the throw, what its dice are said to show, the player of its film, and who is told. */
let open = null;
/** Counts the sheets asked for: the answer of one that a later one has overtaken is ignored. */
let asks = 0;

onDialogClose(() => {
  open?.player?.stop();
  open = null;
});

/** Show all throws that stand. */
async function openThrows(onChanged) {
  const asked = (asks += 1);
  const found = await orShowError(getJson('/api/throws'));
  if (!found || asked !== asks) return;
  openDialog(dialogTitle(say('Look again at a throw')),
    found.throws.length
      ? h('ol', { class: 'past-throws' }, found.throws.map(({ entry, sentence }) =>
        h('li', {}, h('button', { type: 'button', 'data-entry': entry, onclick: () => openChallenge(entry, onChanged) }, sentence))))
      : h('p', {}, say('No throw stands in this game.')),
    closeButton(say('Close')));
}

/** Show a throw that stands. @param {number} entry @param {(snapshot: any) => void} onChanged @returns {Promise<void>} */
export async function openChallenge(entry, onChanged) {
  const asked = (asks += 1);
  const found = await orShowError(getJson(`/api/challenge?${new URLSearchParams({ entry: String(entry) })}`));
  if (!found || asked !== asks) return;
  open?.player?.stop();
  open = { found, faces: new Map(), player: found.film ? filmPlayer() : null, onChanged };
  showSheet();
  if (open.player && !(await open.player.load(found.film))) toast(say('The film cannot be shown; the throw itself stands.'));
}

function showSheet() {
  const { found, player, onChanged } = open;
  const [first, ...others] = found.calls;
  fill(
    h('p', { class: 'kicker' }, say('Look again at a throw')),
    h('h2', { id: 'dialog-title', class: 'challenged' }, first?.sentence ?? found.action, ' ', ruleTag(first?.rule ?? '')),
    others.map(({ sentence, rule }) => h('p', {}, sentence, ' ', ruleTag(rule))),
    player ? player.element : h('p', { class: 'no-film' }, found.film_note),
    h('p', {}, mayDecide() ? say('Tap a die to see what would follow if it showed another face.') : say('The dice as they were read.')),
    h('ul', { class: 'challenged-dice' }, found.dice.map((die) => h('li', {}, drawDie(die)))),
    h('div', { class: 'pair' }, mayDecide() && h('button', { type: 'button', id: 'stands', class: 'main', onclick: () => decide('stands') }, say('It stands')), closeButton(say('Close'))),
    h('button', { type: 'button', class: 'quiet', id: 'all-throws', onclick: () => openThrows(onChanged) }, say('Other throws')),
  );
}

/** Fill the dialog, which stays this sheet. */
function fill(...children) {
  const kept = open;
  openDialog(...children.flat().filter(Boolean));
  byId('dialog').scrollTop = 0;
  open = kept;
}

function drawDie(die) {
  const picture = die.crop ? h('img', { class: 'portrait', src: die.crop, alt: '' }) : faceIcon(die.face, 'portrait');
  const others = runnersUp(die);
  return h('button', { type: 'button', class: 'challenged-die', 'data-place': die.place, onclick: () => showFaces(die) },
    picture,
    h('strong', {}, faceIcon(die.face), die.title),
    h('span', {}, readingOf(die)),
    others && h('span', { class: 'runners-up' }, say('else {others}', { others })),
    handledNote(die) && h('span', { class: 'handled' }, handledNote(die)));
}

function showFaces(die) {
  open.player?.ring(die.ring);
  if (!mayDecide()) return undefined;
  const said = open.faces.get(die.place) ?? die.face;
  return fill(
    h('p', { class: 'kicker' }, readingOf(die)),
    dialogTitle(say('What did this die show?')),
    h('div', { class: 'film-beside' }, open.player?.element ?? null,
      die.crop && h('img', { class: 'portrait wide', src: die.crop, alt: say('The die as the camera saw it') })),
    h('div', { class: 'faces' }, die.faces.map(({ face, title }) => faceChoice(face, title, face === said, () => ask(die, face)))),
    h('button', { type: 'button', class: 'quiet', onclick: showSheet }, say('Back')),
  );
}

/** Ask what would follow if the die had shown that face, with what was said of the others. */
async function ask(die, face) {
  if (face === die.face) open.faces.delete(die.place);
  else open.faces.set(die.place, face);
  if (!open.faces.size) return showSheet();
  const { entry, action } = open.found;
  const kept = open;
  const query = new URLSearchParams({ entry, action, faces: facesText(open.faces) });
  const found = await orShowError(getJson(`/api/challenge/what-if?${query}`));
  if (found && open === kept) showWhatIf(found);
  return undefined;
}

function showWhatIf(found) {
  const { faces, found: sheet } = open;
  const said = [...faces].map(([place, face]) => say('{face} instead of {other}', { face: titleOf(sheet.dice[place], face), other: sheet.dice[place].title }));
  fill(
    h('p', { class: 'kicker' }, say('What would follow')),
    dialogTitle(listed(said)),
    h('table', { class: 'what-if-scores' },
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, say('Score')), h('th', { scope: 'col' }, say('Now')), h('th', { scope: 'col' }, say('Then')))),
      h('tbody', {}, scoreRows(found).map(({ name, now, then, step }) =>
        h('tr', { class: step && 'changed' }, h('th', { scope: 'row' }, name), h('td', {}, String(now)), h('td', {}, String(then), step && h('em', {}, ` ${step}`)))))),
    found.turn_now !== found.turn_then && h('p', { class: 'turns' }, say('Now: {now}. Then: {then}.', { now: found.turn_now, then: found.turn_then })),
    h('ol', { class: 'consequences' }, found.rows.map((row) => h('li', { class: row.refusal && 'impossible', value: row.entry },
      h('span', { class: 'now' }, row.now), h('span', { class: 'then' }, consequenceText(row), ' ', ruleTag(row.rule))))),
    !found.rows.length && h('p', {}, say('Nothing would change.')),
    found.can_take_back && h('p', { class: 'impossible' }, say('What is then no longer possible, and all after it, is taken back.')),
    h('div', { class: 'pair' },
      h('button', { type: 'button', class: 'quiet', onclick: showSheet }, say('Back')),
      found.can_take && h('button', { type: 'button', class: 'main', id: 'take', onclick: () => decide('correct', found.step) }, say('Take it')),
      found.can_take_back && h('button', { type: 'button', class: 'grave', id: 'take-back', onclick: () => decide('take-back', found.step) }, say('Take it, and take back the rest'))),
    !found.can_take && !found.can_take_back && found.refusal && h('p', { class: 'impossible' }, found.refusal, ' ', ruleTag(found.rule)),
    h('button', { type: 'button', class: 'quiet', id: 'stands', onclick: () => decide('stands') }, say('The throw stands as it is')),
  );
}

/** Return the small tag that names a rule, or '' for none. */
const ruleTag = (rule) => rule && h('span', { class: 'rule', 'aria-label': say('rule {rule}', { rule }) }, rule);

const titleOf = (die, face) => die.faces.find((each) => each.face === face)?.title ?? face;

async function decide(verdict, step = open.found.step) {
  const { found, faces, onChanged } = open;
  const body = { entry: found.entry, action: found.action, faces: verdict === 'stands' ? '' : facesText(faces), verdict, step };
  const snapshot = await orShowError(postJson('/api/challenge', body));
  if (!snapshot) return;
  closeDialog();
  onChanged(snapshot);
}
