// Dialogs over the table: a row of a board, the chances, the correction of a die.

import { pictureUrl, postJson } from './api.js';
import { closeButton, closeDialog, dialogTitle, fillDialog, onDialogClose, openDialog, openLiveDialog } from './dialog.js';
import { faceIcon } from './die_faces.js';
import { h, orShowError, toast } from './dom.js';
import { listed } from './format.js';
import { say } from './say.js';
import { drawHallCode } from './setup_parts.js';

const MANY_OFFERS = 4;

/** Show the offers of a row of a board. @param {any} row @param {(offer: any) => void} onOffer @returns {void} */
export function openRow({ seat, row, title, columns, cells }, onOffer) {
  const facts = columns.map((column, place) => [column, cells[place]]).slice(1).filter(([, cell]) => cell);
  const details = h('dl', { class: 'facts' }, facts.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
  const choose = (offer) => {
    closeDialog();
    onOffer(offer);
  };
  openLiveDialog(`/api/offers?${new URLSearchParams({ seat, row })}`, ({ offers }) => {
    if (!offers.length) return closeDialog();
    return fillDialog(h('p', { class: 'kicker' }, title), dialogTitle(cells[0]), facts.length > 0 && details,
      h('div', { class: offers.length > MANY_OFFERS ? 'option-buttons many' : 'option-buttons' }, offers.map((offer) =>
        h('button', { type: 'button', class: offer.grave ? 'grave option-button' : 'main option-button', 'data-action': offer.action, onclick: () => choose(offer) }, offer.title))),
      closeButton(say('Close')));
  });
}

/** Show what the table may agree on where the rules are silent. @param {(offer: any) => void} onOffer @param {(lastThrow: string) => void} onVoid @returns {void} */
export function openAgreements(onOffer, onVoid) {
  const choose = (act) => {
    closeDialog();
    act();
  };
  openLiveDialog('/api/agreements', ({ offers, last_throw: lastThrow }) => fillDialog(
    dialogTitle(say('What the table agrees on')),
    h('div', { class: offers.length >= MANY_OFFERS ? 'option-buttons many' : 'option-buttons' },
      lastThrow && h('button', { type: 'button', class: 'main option-button', id: 'void', onclick: () => choose(() => onVoid(lastThrow)) }, say('This throw does not count')),
      offers.map((offer) => h('button', { type: 'button', class: `${offer.verb === 'quit' ? 'grave' : 'main'} option-button`, 'data-action': offer.action, onclick: () => choose(() => onOffer(offer)) }, offer.title))),
    !offers.length && !lastThrow && h('p', {}, say('There is nothing to agree on just now.')),
    closeButton(say('Close')),
  ));
}

/** Show the code by which a phone becomes the camera. @returns {void} */
export const openCameraCode = () => openDialog(
  dialogTitle(say('The camera')),
  h('div', { class: 'scanned-code' }, h('img', { class: 'qr', src: '/camera.svg', width: 168, height: 168, alt: say('QR code of the phone’s page') }),
    h('div', {}, h('p', {}, h('strong', {}, say('Scan this with the phone that is the camera.'))),
      h('p', { class: 'note' }, h('a', { href: '/https' }, say('The phone warns you of the page? This helps.'))))),
  closeButton(say('Close')),
);

/** Show the chances of the player to act, computed on request. @returns {void} */
export function openChances() {
  openLiveDialog('/api/odds', ({ chances }) => fillDialog(
    dialogTitle(say('Chances')),
    chances.length
      ? h('ul', { class: 'chances' }, chances.map(({ what, figure, advised }) =>
        h('li', { class: advised && 'advised' }, h('span', {}, what, advised && h('em', {}, say('advised'))), h('strong', {}, figure))))
      : h('p', {}, say('Chance has no say in what is to be done now.')),
    closeButton(say('Close')),
  ), () => fillDialog(dialogTitle(say('Chances')), h('p', { id: 'under-way', role: 'status' }, say('Working them out …')), closeButton(say('Close'))));
}

/** Show the code by which a player's phone joins in at this table of a hall, and who waits. @returns {void} */
export function openJoinByPhone() {
  openLiveDialog('/api/hall-link', ({ joined, name, players }) => (joined ? fillDialog(
    dialogTitle(say('Join in by phone')),
    drawHallCode(name),
    players.length > 0 && h('p', { id: 'who-waits' }, say('They wait to play:'), ' ', listed(players)),
    closeButton(say('Close')),
  ) : closeDialog()));
}

/** The die whose correction is open. */
let correctedDie = null;

/** Ask what a die really shows. @param {any} die @param {(snapshot: any) => void} onCorrected @param {string} step of the game, as the page shows it @returns {void} */
export function openCorrection(die, onCorrected, step) {
  const choose = async (face, kind = '') => {
    closeDialog();
    const snapshot = await orShowError(postJson('/api/correct', { die: die.number, face, kind, step }));
    if (snapshot) onCorrected(snapshot);
  };
  openDialog(
    h('div', { class: 'about' }, portrait(die), h('div', {}, dialogTitle(say('What does this die show?')), h('p', {}, readingOf(die)))),
    faceChoices(die.faces, die, choose),
    die.kinds.map((other) => h('button', { type: 'button', 'data-kind': other.kind, onclick: ({ target }) => (other.faces.length ? target.replaceWith(faceChoices(other.faces, die, (face) => choose(face, isAmong(face, die) ? other.kind : ''))) : choose(die.face, other.kind)) }, say('It is a {title}', { title: other.title }))),
    closeButton(say('Leave it as it is')),
  );
  correctedDie = die;
}

onDialogClose(() => (correctedDie = null));

/** Close the correction of a die that left the table, or was read again since. @param {any[]} dice @returns {void} */
export function closeStaleCorrection(dice) {
  if (correctedDie === null || dice.some((die) => isSameReading(die, correctedDie))) return;
  closeDialog();
  toast(say('That die was thrown or read again. Look again, then tap it.'));
}

const isSameReading = (die, other) => die.number === other.number && die.face === other.face && die.confidence === other.confidence;

function readingOf({ face, title, confidence }) {
  return face ? say('The referee reads: {title}, {percent} % sure.', { title, percent: Math.floor(confidence * 100) }) : say('The referee cannot read it.');
}

const portrait = (die) =>
  die.crop ? h('img', { class: 'portrait', src: pictureUrl(die.crop), alt: say('The die as the camera sees it') }) : faceIcon(die.face, 'portrait');

const isAmong = (wanted, { faces }) => faces.some(({ face }) => face === wanted);

const faceChoices = (faces, die, choose) => h('div', { class: 'faces' }, faces.map(({ face, title }) => faceChoice(face, title, face === die.face, () => choose(face))));

/** Draw a button that chooses a face. @param {string} face @param {string} title @param {boolean} isChosen @param {() => void} choose @returns {HTMLElement} */
export function faceChoice(face, title, isChosen, choose) {
  return h('button', { type: 'button', class: isChosen ? 'face-choice now' : 'face-choice', 'aria-pressed': String(isChosen), 'data-face': face, onclick: choose }, faceIcon(face), title);
}
