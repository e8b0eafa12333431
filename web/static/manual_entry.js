// Manual entry: where no camera sees the tray, people say what their dice show.

import { postJson } from './api.js';
import { closeButton, closeDialog, dialogTitle, fillDialog, openLiveDialog } from './dialog.js';
import { faceOrTitle } from './die_faces.js';
import { h, orShowError } from './dom.js';
import { say } from './say.js';

/* The entry as a value: which throw, what each of its dice shows, and who threw */

/**
 * @typedef {{kind: string, face: string}} DieEntry `face` is '' where it is not entered
 * @typedef {{seats: number[], verb: string, choice: string, title: string, dice: DieEntry[]}} Throw
 * @typedef {{step: string, throws: Throw[]}} Offer what the API offers to enter, at a step of the game
 * @typedef {{kind: string, face: string, zone: string}} SeenDie
 * @typedef {{step: string | null, place: number | null, faces: string[], seat: number}} ManualEntry
 * `place` is that of the throw in the offer, null before it is chosen; `seat` is 0 before it is known.
 */

/** No entry yet. @type {ManualEntry} */
export const NO_ENTRY = { step: null, place: null, faces: [], seat: 0 };

/** Return the entry for an offer: a new one where the game is at another step. @param {ManualEntry} entry @param {Offer} offer @param {number} ownSeat @param {SeenDie[]} seen @returns {ManualEntry} */
export function entryFor(entry, offer, ownSeat, seen) {
  if (offer.step === entry.step) return entry;
  return withThrow({ ...NO_ENTRY, step: offer.step, seat: ownSeat }, offer, offer.throws.length === 1 ? 0 : null, seen);
}

/** Return the entry with another throw; null goes back to the choice. @param {ManualEntry} entry @param {Offer} offer @param {number | null} place @param {SeenDie[]} seen @returns {ManualEntry} */
export const withThrow = (entry, offer, place, seen) =>
  ({ ...entry, place, faces: place === null ? [] : prefilledFaces(offer.throws[place].dice, seen) });

/** Return the faces to begin with: as the camera reads them, if it sees as many dice of each kind as were thrown. @param {DieEntry[]} dice @param {SeenDie[]} seen @returns {string[]} */
export function prefilledFaces(dice, seen) {
  const unused = seen.filter(({ zone, face }) => zone !== 'out' && face);
  const count = (those, kind) => those.filter((die) => die.kind === kind).length;
  const isMatch = dice.every(({ kind }) => count(dice, kind) === count(unused, kind));
  return dice.map(({ kind, face }) => {
    if (face || !isMatch) return face;
    return unused.splice(unused.findIndex((die) => die.kind === kind), 1)[0].face;
  });
}

/** Return the entry with a face at a die's place; '' empties it. @param {ManualEntry} entry @param {number} at @param {string} face @returns {ManualEntry} */
export const withFace = (entry, at, face) => ({ ...entry, faces: entry.faces.map((old, place) => (place === at ? face : old)) });

/** Return the entry with who threw. @param {ManualEntry} entry @param {number} seat @returns {ManualEntry} */
export const withSeat = (entry, seat) => ({ ...entry, seat });

/** Return the place of the next die of a kind without a face, or -1. @param {ManualEntry} entry @param {Throw} thrown @param {string} kind @returns {number} */
export const nextPlace = (entry, { dice }, kind) => dice.findIndex((die, place) => die.kind === kind && !entry.faces[place]);

/** Return the kinds of a throw's dice, each once. @param {Throw} thrown @returns {string[]} */
export const kindsOf = ({ dice }) => [...new Set(dice.map(({ kind }) => kind))];

/** Return who threw: the only one who may, else the entry's seat if it may; 0 while that is open. @param {ManualEntry} entry @param {Throw} thrown @returns {number} */
export const throwerOf = (entry, { seats }) => (seats.length === 1 ? seats[0] : seats.find((seat) => seat === entry.seat) ?? 0);

/** Return true if every die has its face. @param {ManualEntry} entry @returns {boolean} */
export const isComplete = (entry) => entry.faces.every(Boolean);

/** Return the action as the API reads it: "2 roll signal:go traffic:two". @param {ManualEntry} entry @param {Throw} thrown @returns {string} */
export function actionOf(entry, thrown) {
  const dice = thrown.dice.map(({ kind }, place) => `${kind}:${entry.faces[place]}`).sort();
  return [throwerOf(entry, thrown), thrown.verb, ...dice, ...(thrown.choice ? [`=${thrown.choice}`] : [])].join(' ');
}

/* The dialog */

/** @type {ManualEntry} */
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
    face ? faceOrTitle(face.face, face.title) : '?');
}

/** The faces of a kind; a tap gives one to the next die of the kind that has none. */
function palette({ kind, title, faces }, thrown, update) {
  const place = nextPlace(entry, thrown, kind);
  return place >= 0 && h('div', { class: 'palette' },
    kindsOf(thrown).length > 1 && h('h3', {}, title),
    h('div', { class: 'faces' }, faces.map((each) =>
      h('button', { type: 'button', class: 'face-choice', 'data-face': each.face, onclick: () => update(withFace(entry, place, each.face)) }, faceOrTitle(each.face, each.title), each.title))));
}

async function submit(button, thrown, onEntered) {
  button.disabled = true;
  const snapshot = await orShowError(postJson('/api/by-hand', { action: actionOf(entry, thrown), step: entry.step }));
  button.disabled = false;
  if (!snapshot) return;
  closeDialog();
  onEntered(snapshot);
}
