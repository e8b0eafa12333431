// The device's camera: opened, shown, and opened again after a call, a lock or a page that was left; and pictures taken of it.

import { sleep } from '../live_view.js';

/* Pictures of a video: one to find motion in, a small JPEG and a full one */

const WATCHED = 160;
/** As small as motion shows in, and so fine that what JPEG does to a tray at rest is none: at 480 and 0.55 it was, every third time. */
const SMALL = { side: 384, quality: 0.82 };
const FULL = { side: 1280, quality: 0.8 };

const canvases = new Map();

/** Return a canvas with the video on it, its longer side so long. */
function drawn(video, side) {
  const share = Math.min(1, side / Math.max(video.videoWidth, video.videoHeight));
  const canvas = canvases.get(side) ?? document.createElement('canvas');
  canvases.set(side, canvas);
  const size = [Math.round(video.videoWidth * share), Math.round(video.videoHeight * share)];
  if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true });
  context.imageSmoothingQuality = 'high';
  context.drawImage(video, 0, 0, ...size);
  return { canvas, context };
}

/** Return the pixels in which motion is found. @param {HTMLVideoElement} video @returns {Uint8ClampedArray} */
export function watchedPixels(video) {
  const { canvas, context } = drawn(video, WATCHED);
  return context.getImageData(0, 0, canvas.width, canvas.height).data;
}

const jpeg = (canvas, quality) => new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));

/** Take a picture now; return what makes its small JPEG, and its full one or null. @param {HTMLVideoElement} video @param {boolean} full @returns {() => Promise<(Blob | null)[]>} */
export function takePicture(video, full) {
  const small = drawn(video, SMALL.side).canvas;
  const whole = full ? drawn(video, FULL.side).canvas : null;
  return () => Promise.all([jpeg(small, SMALL.quality), whole && jpeg(whole, FULL.quality)]);
}

/** The longer side of a photograph in pixels, and how fine its JPEG is: the first one whose bytes the box takes. */
const PHOTOGRAPH = { side: 1600, qualities: [0.85, 0.7, 0.5] };
const MOST_BYTES = 400 * 1024;

/** Return a photograph as an upright JPEG that the box takes, null for a file that this browser cannot open. @param {Blob} file @returns {Promise<Blob | null>} */
export async function photographJpeg(file) {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null);
  if (!picture) return null;
  const share = Math.min(1, PHOTOGRAPH.side / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [Math.round(picture.width * share), Math.round(picture.height * share)];
  const context = canvas.getContext('2d', { alpha: false });
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close(); // 48 megapixels take 200 MB
  for (const quality of PHOTOGRAPH.qualities) {
    const made = await jpeg(canvas, quality);
    if (made && made.size <= MOST_BYTES) return made;
  }
  return null;
}

/* The camera */

const WANTED = { audio: false, video: { facingMode: { ideal: 'environment' }, width: { ideal: 1280 }, height: { ideal: 960 }, frameRate: { ideal: 30 } } };
const AGAIN_MS = 1500;
const LOOK_MS = 33;

/** Return true if this browser lends a page its camera here: over https and on the box itself. @returns {boolean} */
export const canShowLive = () => Boolean(navigator.mediaDevices?.getUserMedia);

/** Shows the camera in a video element. `told(error)` is called with why it does not, null when it does. */
export class OwnCamera {
  /** @param {HTMLVideoElement} video @param {(error: Error | null) => void} told */
  constructor(video, told) {
    [this.video, this.told] = [video, told];
    this.stream = null;
    this.isOpening = false;
    document.addEventListener('visibilitychange', () => document.hidden || this.open());
    addEventListener('pageshow', (event) => event.persisted && this.open());
  }

  /** Return true if pictures come. @returns {boolean} */
  get isLive() {
    return Boolean(this.stream?.getVideoTracks().some((track) => track.readyState === 'live' && !track.muted)) && this.video.videoWidth > 0;
  }

  /** Open the camera unless it is open; try again until it is. @returns {Promise<void>} */
  async open() {
    if (this.isOpening || this.stream?.active) return;
    this.isOpening = true;
    for (this.stream = null; !this.stream; ) {
      this.stream = await navigator.mediaDevices.getUserMedia(WANTED).catch((error) => this.told(error));
      if (!this.stream) await sleep(AGAIN_MS);
    }
    this.isOpening = false;
    for (const track of this.stream.getVideoTracks()) track.addEventListener('ended', () => this.#again());
    this.video.srcObject = this.stream;
    await this.video.play().catch(() => null);
    this.told(null);
  }

  /** Call a function with each new picture. @param {() => void} look @returns {void} */
  follow(look) {
    if (!this.video.requestVideoFrameCallback) return void setInterval(() => this.isLive && look(), LOOK_MS);
    const next = () => {
      if (this.isLive) look();
      this.video.requestVideoFrameCallback(next);
    };
    this.video.requestVideoFrameCallback(next);
  }

  #again() {
    this.stream = null;
    if (!document.hidden) this.open();
  }
}
