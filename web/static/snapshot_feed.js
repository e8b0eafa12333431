// The newest snapshot of the page, for parts that are loaded later than what follows the table. No DOM.

/** @type {any} */
let newest = null;
/** @type {Set<(snapshot: any) => void>} */
const listeners = new Set();

/** Pass a snapshot on to all who listen. @param {any} snapshot @returns {void} */
export function publish(snapshot) {
  newest = snapshot;
  for (const listener of listeners) listener(snapshot);
}

/** Return the newest snapshot, null before the first one. @returns {any} */
export const newestSnapshot = () => newest;

/** Call a function with the newest snapshot, if there is one, and with each that follows. @param {(snapshot: any) => void} listener @returns {void} */
export function onSnapshot(listener) {
  listeners.add(listener);
  if (newest) listener(newest);
}
