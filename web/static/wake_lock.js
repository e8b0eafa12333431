// The screen stays on while a game is played, where the browser allows it: over https and on localhost.

let isWanted = false;
/** @type {WakeLockSentinel | null} */
let lock = null;
let isAsking = false;

async function follow() {
  const isDue = isWanted && !document.hidden;
  if (!isDue) {
    const held = lock;
    lock = null;
    await held?.release().catch(() => null);
    return;
  }
  if (lock || isAsking || !navigator.wakeLock) return;
  isAsking = true;
  lock = await navigator.wakeLock.request('screen').catch(() => null); // refused on a low battery: the page works without
  isAsking = false;
  lock?.addEventListener('release', () => (lock = null));
  if (!isWanted) follow();
}

/** Keep the screen on, or let it go dark as the device wants. @param {boolean} isPlaying @returns {void} */
export function keepScreenOn(isPlaying) {
  if (isPlaying === isWanted) return;
  isWanted = isPlaying;
  follow();
}

document.addEventListener('visibilitychange', follow);
