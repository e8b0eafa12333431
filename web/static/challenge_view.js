// What the sheet of a challenge shows: words and rows. No DOM.

const HANDLED = {
  placed: 'A hand was there as it came to rest.',
  turned: 'It was turned in its place.',
  returned: 'It left the tray and came back.',
  unseen: 'It was out of sight meanwhile.',
};

/** Return how sure the reader was of a die, in words. @param {any} die @returns {string} */
export function readingOf({ confidence, read }) {
  if (confidence === null) return 'No reading was kept.';
  const sure = `${Math.floor(confidence * 100)} % sure`;
  return read ? `Read as ${read}, ${sure}` : sure;
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
  if (refusal) return `Could not have been: ${refusal}`;
  if (carried) return `${then} (with the other face)`;
  return then === now ? 'The same, with other scores.' : then;
}
