// What this browser may do: watcher, player or keeper, as the server wrote it into the page.

/** Return the role of this browser. @returns {string} */
export const role = () => document.body.dataset.role ?? '';

/** Return true if this browser may decide at the table. @returns {boolean} */
export const mayDecide = () => role() !== 'watcher';

/** Return true if this browser is a keeper's. @returns {boolean} */
export const isKeeper = () => role() === 'keeper';
