// The device's camera: opened, shown, and opened again after a call, a lock or a page that was left.

import { sleep } from '../timing.js';

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
