// The camera's live picture: one frame after another while the page is visible.

import { sleep, untilVisible } from './timing.js';

const FRAME_MS = 120;
const RETRY_MS = 1000;
const UNDRAWN_MS = 250; // in a drawer that is closed, or at a step that shows no picture

/** The tray, the room cut away. */
export const TRAY = '/view.jpg';
/** All that the camera sees, for keepers alone. */
export const WHOLE = '/camera.jpg';
/** The virtual tray's picture. */
export const DRAWN = '/tray.jpg';

/**
 * Show the camera's frames in an <img> until `isOver()`. `box` gets a frame's aspect ratio and, without a picture, the
 * class `dark`; `notice` is hidden while there is a picture.
 * @param {{image: HTMLImageElement, box: HTMLElement, notice: HTMLElement, url: string, frameMs?: number, isOver?: () => boolean}} view @returns {Promise<void>}
 */
export async function showLiveView({ image, box, notice, url, frameMs = FRAME_MS, isOver = () => false }) {
  for (let count = 0; !isOver(); count += 1) {
    await untilVisible();
    while (!isOver() && !isDrawn(box)) await sleep(UNDRAWN_MS);
    const startedAt = performance.now();
    const frame = await loadFrame(`${url}?${count}`);
    notice.hidden = Boolean(frame);
    box.classList.toggle('dark', !frame);
    if (frame) {
      box.style.aspectRatio = `${frame.naturalWidth} / ${frame.naturalHeight}`;
      image.src = frame.src;
    }
    await sleep(frame ? Math.max(frameMs - (performance.now() - startedAt), 0) : RETRY_MS);
  }
}

const isDrawn = (box) => box.getClientRects().length > 0;

async function loadFrame(url) {
  const frame = new Image();
  frame.src = url;
  try {
    await frame.decode();
    return frame;
  } catch {
    return null;
  }
}
