// Manual entry: where no camera sees the tray, people say what their dice show.

import { postJson } from './api.js';
import { closeButton, closeDialog, dialogTitle, fillDialog, openLiveDialog } from './dialog.js';
import { faceIcon, hasDrawing, titleIcon } from './die_faces.js';
import { h } from './dom.js';
import { actionOf, entryFor, isComplete, kindsOf, nextPlace, NO_ENTRY, throwerOf, withFace, withSeat, withThrow } from './manual_entry_state.js';
import { say } from './say.js';
import { orShowError } from './toast.js';

/** @type {import('./manual_entry_state.js').ManualEntry} */
let entry = NO_ENTRY;

/** Ask what was thrown. @param {any} snapshot what the page shows @param {number} ownSeat @param {(snapshot: any) => void} onEntered gets what came of it @returns {void} */
export function openManualEntry(snapshot, ownSeat, onEntered) {
  entry = NO_ENTRY;
  const seen = snapshot.camera_trouble ? [] : snapshot.dice;
  const names = Object.fromEntries(snapshot.state?.players.map((player) => [player.seat, player.name]) ?? []);
  openLiveDialog('/api/by-hand', (offer) => {
    if (!offer.throws.length) return closeDialog();
    entry = entryFor(entry, offer, ownSeat, seen);
    return draw(offer, seen, names, onEntered);
  });
}

function draw(offer, seen, names, onEntered) {
  const update = (changed) => {
    entry = changed;
    draw(offer, seen, names, onEntered);
  };
  const chooseThrow = (place) => update(withThrow(entry, offer, place, seen));
  if (entry.place === null) return fillDialog(...throwChoice(offer, chooseThrow));
  const thrown = offer.throws[entry.place];
  return fillDialog(
    h('p', { class: 'kicker' }, say('Dice given by hand')),
    dialogTitle(thrown.title),
    h('p', {}, instruction(isComplete(entry), seen.length > 0)),
    h('div', { class: 'entered-dice' }, thrown.dice.map((die, place) => slot(kindIn(offer, die.kind), place, update))),
    thrown.seats.length > 1 && throwerChoice(thrown.seats, names, update),
    kindsOf(thrown).map((kind) => palette(kindIn(offer, kind), thrown, update)),
    h('div', { class: 'pair' },
      offer.throws.length > 1 ? h('button', { type: 'button', class: 'quiet', onclick: () => chooseThrow(null) }, say('Another throw')) : closeButton(say('Not now')),
      h('button', { type: 'button', class: 'main', id: 'enter-throw', disabled: !isComplete(entry) || !throwerOf(entry, thrown), onclick: (event) => submit(event.target, thrown, onEntered) }, say('These were thrown'))),
  );
}

const throwChoice = ({ throws }, choose) => [
  dialogTitle(say('What was thrown?')),
  h('div', { class: 'option-buttons' }, throws.map(({ title }, place) =>
    h('button', { type: 'button', class: 'main option-button', 'data-throw': place, onclick: () => choose(place) }, title))),
  closeButton(say('Not now')),
];

function instruction(complete, readByCamera) {
  if (!complete) return say('Tap the face that each of your dice shows.');
  return readByCamera ? say('So the camera reads them. Tap a die that shows something else.') : say('Tap a die to change it.');
}

const throwerChoice = (seats, names, update) => h('div', { class: 'who', role: 'group', 'aria-label': say('Who threw?') }, h('h3', {}, say('Who threw?')),
  h('div', { class: 'option-buttons many' }, seats.map((seat) =>
    h('button', { type: 'button', class: seat === entry.seat ? 'main option-button' : 'quiet option-button', 'aria-pressed': String(seat === entry.seat), 'data-seat': seat, onclick: () => update(withSeat(entry, seat)) }, names[seat]))));

const kindIn = ({ kinds }, kind) => kinds.find((each) => each.kind === kind);

/** A die of the throw: the face entered for it, or "?". A tap empties it. */
function slot({ title, faces }, place, update) {
  const face = faces.find((each) => each.face === entry.faces[place]);
  const label = face ? say('{die}: {face}. Tap to change.', { die: title, face: face.title }) : say('{die}: not said yet', { die: title });
  return h('button', { type: 'button', class: face ? 'slot' : 'slot empty', 'aria-label': label, 'data-place': place, disabled: !face, onclick: () => update(withFace(entry, place, '')) },
    face ? drawing(face) : '?');
}

/** The faces of a kind; a tap gives one to the next die of the kind that has none. */
function palette({ kind, title, faces }, thrown, update) {
  const place = nextPlace(entry, thrown, kind);
  return place >= 0 && h('div', { class: 'palette' },
    kindsOf(thrown).length > 1 && h('h3', {}, title),
    h('div', { class: 'faces' }, faces.map((each) =>
      h('button', { type: 'button', class: 'face-choice', 'data-face': each.face, onclick: () => update(withFace(entry, place, each.face)) }, drawing(each), each.title))));
}

const drawing = ({ face, title }) => (hasDrawing(face) ? faceIcon(face) : titleIcon(title));

async function submit(button, thrown, onEntered) {
  button.disabled = true;
  const snapshot = await orShowError(postJson('/api/by-hand', { action: actionOf(entry, thrown), step: entry.step }));
  button.disabled = false;
  if (!snapshot) return;
  closeDialog();
  onEntered(snapshot);
}
