// The file of a film, as vander/storage/film_file.py writes it: its index, and its pictures. No DOM.

const MAGIC = 'VANDER FILM 1\n';

/**
 * Read a film. Throws RangeError or SyntaxError for bytes that are none.
 * @param {ArrayBuffer} contents
 * @returns {{times: number[], before: number, pictures: Uint8Array[]}} when each picture was taken, in seconds from the first; the index of the picture of the ruling before
 */
export function readFilm(contents) {
  const head = new DataView(contents);
  const magic = new TextDecoder().decode(new Uint8Array(contents, 0, MAGIC.length));
  if (magic !== MAGIC) throw new RangeError('no film');
  const began = MAGIC.length + 8;
  const length = head.getUint32(MAGIC.length);
  const { times, sizes, before } = JSON.parse(new TextDecoder().decode(new Uint8Array(contents, began, length)));
  let at = began + length;
  const pictures = sizes.map((size) => new Uint8Array(contents, (at += size) - size, size));
  return { times: times.map((time) => time - times[0]), before, pictures };
}

/**
 * Return the picture that is shown so long after another one; the last one stays.
 * @param {number[]} times @param {number} from its index @param {number} elapsed seconds of the film @returns {number}
 */
export function pictureAfter(times, from, elapsed) {
  let place = from;
  while (place + 1 < times.length && times[place + 1] <= times[from] + elapsed) place += 1;
  return place;
}
