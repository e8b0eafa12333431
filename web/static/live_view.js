// What follows the camera while the page is visible: waiting, and its live picture, one frame after another.

import { getPicture } from './api.js';

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
 * Draw the camera's frames on a <canvas> until `isOver()`. `box` gets a frame's aspect ratio, also as `--ratio`, and, without a
 * picture, the class `dark`; `notice` is hidden while there is a picture.
 * @param {{canvas: HTMLCanvasElement, box: HTMLElement, notice: HTMLElement, url: string, frameMs?: number, isOver?: () => boolean}} view @returns {Promise<void>}
 */
export async function showLiveView({ canvas, box, notice, url, frameMs = FRAME_MS, isOver = () => false }) {
  while (!isOver()) {
    await untilVisible();
    while (!isOver() && !isDrawn(box)) await sleep(UNDRAWN_MS);
    const startedAt = performance.now();
    const isSeen = await drawFrame(canvas, url);
    notice.hidden = isSeen;
    box.classList.toggle('dark', !isSeen);
    if (isSeen) showRatio(box, canvas);
    await sleep(isSeen ? Math.max(frameMs - (performance.now() - startedAt), 0) : RETRY_MS);
  }
}

function showRatio(box, { width, height }) {
  box.style.aspectRatio = `${width} / ${height}`;
  box.style.setProperty('--ratio', String(width / height));
}

const isDrawn = (box) => box.getClientRects().length > 0;

/**
 * Draw the newest frame of an address; return whether there was one. Not an <img> with one address after another: browsers
 * keep the pixels of pictures that they showed, and the tray's page grew to more than half a gigabyte within 20 seconds.
 */
async function drawFrame(canvas, url) {
  const frame = await loadFrame(url);
  if (!frame) return false;
  [canvas.width, canvas.height] = [frame.width, frame.height];
  canvas.getContext('bitmaprenderer').transferFromImageBitmap(frame);
  canvas.classList.add('drawn');
  return true;
}

async function loadFrame(url) {
  try {
    return await createImageBitmap(await getPicture(url));
  } catch {
    return null;
  }
}
