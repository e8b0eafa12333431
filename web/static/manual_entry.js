// Dice given by hand: where no camera sees the tray, people say what their dice show.

import { tell } from './api.js';
import { h } from './dom.js';
import { faceIcon, isFace, wordIcon } from './die_faces.js';
import { cancel, close, fill, live, title } from './dialog.js';

let chosen = null; // which of the throws, or null while that is to be said
let faces = []; // what each die of it shows, '' while nobody said
let step = null; // the moment of the game that this was said for
let seat = 0; // who threw, 0 while that is to be said

/** Ask what was thrown. `snapshot` is what the page shows, `own` its seat; `given(snapshot)` is told what came of it. */
export function openByHand(snapshot, own, given) {
  step = null;
  const seen = snapshot.camera_trouble ? [] : snapshot.dice;
  const names = Object.fromEntries(snapshot.state?.players.map((player) => [player.seat, player.name]) ?? []);
  const show = (now) => {
    if (!now.throws.length) return close();
    if (now.step !== step) {
      seat = own;
      choose(now, now.throws.length === 1 ? 0 : null, seen);
    }
    return draw(now, seen, names, given);
  };
  live('/api/by-hand', show);
}

function choose(now, place, seen) {
  step = now.step;
  chosen = place;
  faces = place === null ? [] : firstFaces(now.throws[place], seen);
}

/** What the camera reads, where as many dice of each kind are in view as were thrown; else nothing. */
function firstFaces({ dice }, seen) {
  const lying = seen.filter(({ zone, face }) => zone !== 'out' && face);
  const count = (those, kind) => those.filter((die) => die.kind === kind).length;
  const asMany = dice.every(({ kind }) => count(dice, kind) === count(lying, kind));
  const left = [...lying];
  return dice.map(({ kind, face }) => {
    if (face || !asMany) return face;
    return left.splice(left.findIndex((die) => die.kind === kind), 1)[0].face;
  });
}

function draw(now, seen, names, given) {
  const again = () => draw(now, seen, names, given);
  if (chosen === null) {
    return fill(title('What was thrown?'), h('div', { class: 'ways' }, now.throws.map((each, place) =>
      h('button', { type: 'button', class: 'main way', 'data-throw': place, onclick: () => { choose(now, place, seen); again(); } }, each.title))),
    cancel('Not now'));
  }
  const thrown = now.throws[chosen];
  const by = thrown.seats.length === 1 ? thrown.seats[0] : thrown.seats.find((one) => one === seat);
  const whole = faces.every(Boolean);
  const read = whole && seen.length > 0;
  return fill(
    h('p', { class: 'kicker' }, 'Dice given by hand'),
    title(thrown.title),
    h('p', {}, whole ? read ? 'So the camera reads them. Tap a die that shows something else.' : 'Tap a die to change it.' : 'Tap the face that each of your dice shows.'),
    h('div', { class: 'given' }, thrown.dice.map((die, place) => slot(kindOf(now, die), place, again))),
    thrown.seats.length > 1 && whoThrew(thrown.seats, names, again),
    kindsOf(thrown).map((kind) => palette(kindOf(now, { kind }), thrown, again)),
    h('div', { class: 'pair' },
      now.throws.length > 1 ? h('button', { type: 'button', class: 'quiet', onclick: () => { choose(now, null, seen); again(); } }, 'Another throw') : cancel('Not now'),
      h('button', { type: 'button', class: 'main', id: 'give', disabled: !whole || !by, onclick: (event) => give(event.target, by, thrown, given) }, 'These were thrown')),
  );
}

/** Whose throw it was, where several may throw. */
function whoThrew(seats, names, again) {
  const choose = (one) => {
    seat = one;
    again();
  };
  return h('div', { class: 'who', role: 'group', 'aria-label': 'Who threw?' }, h('h3', {}, 'Who threw?'),
    h('div', { class: 'ways many' }, seats.map((one) =>
      h('button', { type: 'button', class: one === seat ? 'main way' : 'quiet way', 'aria-pressed': String(one === seat), 'data-seat': one, onclick: () => choose(one) }, names[one]))));
}

const kindOf = ({ kinds }, { kind }) => kinds.find((each) => each.kind === kind);
const kindsOf = ({ dice }) => [...new Set(dice.map(({ kind }) => kind))];

/** A die of the throw: what it shows, or that this is still to be said. A tap empties it. */
function slot({ title: name, faces: known }, place, again) {
  const face = known.find((each) => each.face === faces[place]);
  const label = face ? `${name}: ${face.title}. Tap to change.` : `${name}: not said yet`;
  const empty = () => {
    faces[place] = '';
    again();
  };
  return h('button', { type: 'button', class: face ? 'slot' : 'slot empty', 'aria-label': label, 'data-place': place, disabled: !face, onclick: empty },
    face ? drawn(face) : '?');
}

/** The faces of a kind; a tap gives one to the next die of the kind that has none. */
function palette({ kind, title: name, faces: known }, { dice }, again) {
  const next = dice.findIndex((die, place) => die.kind === kind && !faces[place]);
  const give = (face) => {
    faces[next] = face;
    again();
  };
  return next >= 0 && h('div', { class: 'palette' },
    kindsOf({ dice }).length > 1 && h('h3', {}, name),
    h('div', { class: 'faces' }, known.map((each) =>
      h('button', { type: 'button', class: 'face-choice', 'data-face': each.face, onclick: () => give(each.face) }, drawn(each), each.title))));
}

const drawn = ({ face, title: name }) => (isFace(face) ? faceIcon(face) : wordIcon(name));

async function give(button, by, { verb, choice, dice }, given) {
  button.disabled = true;
  const words = dice.map(({ kind }, place) => `${kind}:${faces[place]}`).sort();
  const action = [by, verb, ...words, ...(choice ? [`=${choice}`] : [])].join(' ');
  const snapshot = await tell('/api/by-hand', { action, step });
  button.disabled = false;
  if (!snapshot) return;
  close();
  given(snapshot);
}
