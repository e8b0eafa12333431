// The live picture of the camera: one frame after another, as fast as they are shown, and none while nobody looks.

const FRAME_MS = 120;
const RETRY_MS = 1000;

export const pause = (milliseconds) => new Promise((wake) => setTimeout(wake, milliseconds));

/** Waits while the page is hidden. */
export const inView = () =>
  document.hidden ? new Promise((wake) => document.addEventListener('visibilitychange', wake, { once: true })) : null;

/** Show in `view` what the camera sees until `over()`; `seen(frame)` is told each loaded picture, or null for none. */
export async function watch(view, seen, over) {
  for (let count = 0; !over(); count += 1) {
    await inView();
    const began = performance.now();
    const frame = await load(`/view.jpg?${count}`);
    if (frame) view.src = frame.src;
    seen(frame);
    await pause(frame ? Math.max(FRAME_MS - (performance.now() - began), 0) : RETRY_MS);
  }
}

async function load(address) {
  const frame = new Image();
  frame.src = address;
  try {
    await frame.decode();
    return frame;
  } catch {
    return null;
  }
}
