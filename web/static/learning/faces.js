// The faces of a die set as values: which are of a kind, which are the same, and how they are called. No DOM.

/**
 * @typedef {{kind: string, face: string}} FaceKey
 * @typedef {FaceKey & {title: string}} Face
 * @typedef {{kinds: {name: string, title: string}[], faces: Face[]}} DieSet
 */

/** Return the faces of a kind. @param {{faces: any[]}} dieSet @param {string} kind @returns {any[]} */
export const facesOfKind = ({ faces }, kind) => faces.filter((face) => face.kind === kind);

/** Return true if both are the same face of the same kind. @param {FaceKey | null | undefined} one @param {FaceKey | null | undefined} other @returns {boolean} */
export const isSameFace = (one, other) => Boolean(one && other) && one.kind === other.kind && one.face === other.face;

/** Return "Moon", or "Moon (Traffic die)" where the dice are of several kinds. @param {DieSet} dieSet @param {Face} face @returns {string} */
export function fullTitle({ kinds }, face) {
  const kind = kinds.find(({ name }) => name === face.kind);
  return kinds.length > 1 && kind ? `${face.title} (${kind.title})` : face.title;
}
