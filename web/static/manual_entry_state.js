// Manual entry of a throw as a value: which throw, what each of its dice shows, and who threw. No DOM.

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
