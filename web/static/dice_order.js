// A steady order of the dice: a die keeps its place as long as it lies in its zone. No DOM.

/** @typedef {{number: number, kind: string, face: string, zone: string}} OrderedDie */
/** @typedef {Map<number, {place: number, zone: string, kind: string, face: string}>} DiceOrder where each die stands, by its number */

/**
 * Return where the dice stand, after where they stood. A die in another zone stands last there; one under another number
 * takes the place of a die that is gone and was just like it.
 * @param {DiceOrder} before @param {OrderedDie[]} dice @returns {DiceOrder}
 */
export function nextOrder(before, dice) {
  const order = new Map();
  const gone = new Map([...before].filter(([number]) => !dice.some((die) => die.number === number)));
  let last = Math.max(0, ...[...before.values()].map(({ place }) => place));
  for (const { number, kind, face, zone } of dice) {
    const known = before.get(number);
    const stays = known && known.zone === zone && known.kind === kind ? known : takeAlike(gone, { kind, face, zone });
    order.set(number, { place: stays?.place ?? (last += 1), zone, kind, face });
  }
  return order;
}

function takeAlike(gone, { kind, face, zone }) {
  const alike = [...gone].find(([, die]) => die.zone === zone && die.kind === kind && die.face === face);
  if (alike) gone.delete(alike[0]);
  return alike?.[1];
}

/** Return the dice by kind, in the order of the kinds, then as they stand. @param {DiceOrder} order @param {any[]} dice @param {string[]} kinds @returns {any[]} */
export const inOrder = (order, dice, kinds) => [...dice].sort((one, other) =>
  kinds.indexOf(one.kind) - kinds.indexOf(other.kind) || order.get(one.number).place - order.get(other.number).place);
