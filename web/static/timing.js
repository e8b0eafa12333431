// Waiting: for a time, or for the page to be visible.

/** Wait. @param {number} milliseconds @returns {Promise<void>} */
export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Wait while the page is hidden. @returns {Promise<void>} */
export const untilVisible = async () => {
  while (document.hidden) {
    await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
  }
};

/** Call a function now, and again whenever the page becomes visible. @param {() => void} act @returns {void} */
export function whenVisible(act) {
  document.addEventListener('visibilitychange', () => document.hidden || act());
  addEventListener('pageshow', (event) => event.persisted && act());
  act();
}
