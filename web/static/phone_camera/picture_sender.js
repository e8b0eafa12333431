// Sends the pictures to the box: begins a stream, begins again where the box asks for it, and never lets many wait.

import { postJson, postPicture } from '../api.js';
import { sleep } from '../timing.js';

const MOST_IN_FLIGHT = 2;
const TIMEOUT_MS = 4000;
const AGAIN_MS = 1000;
const OK = 200;
const CONFLICT = 409;

/** Sends pictures. `heard(answer, problem)` is called with each answer, and with a sentence where there is none. */
export class PictureSender {
  /** @param {(answer: any, problem: string) => void} heard */
  constructor(heard) {
    this.heard = heard;
    this.stream = null;
    this.number = 0;
    this.inFlight = 0;
    this.isFullInFlight = false;
    this.isBeginning = false;
  }

  /** Return true if another picture may be sent: at most two wait, and none overtakes a full one. @returns {boolean} */
  get isReady() {
    return this.stream !== null && !this.isFullInFlight && this.inFlight < MOST_IN_FLIGHT;
  }

  /** Begin a stream, as often as it takes. @returns {Promise<void>} */
  async begin() {
    if (this.isBeginning) return;
    this.isBeginning = true;
    for (this.stream = null; this.stream === null; ) {
      const begun = await postJson('/api/camera/begin').catch((error) => ({ problem: error.message }));
      if (begun.stream === undefined) {
        this.heard(null, begun.problem);
        await sleep(AGAIN_MS);
      } else {
        [this.stream, this.number] = [begun.stream, 0];
      }
    }
    this.isBeginning = false;
  }

  /**
   * Send a picture that was taken at a moment of this page's clock: `encode` makes its small JPEG, and its full one or null.
   * @param {number} takenMs @param {boolean} full @param {boolean} isResting @param {() => Promise<(Blob | null)[]>} encode
   */
  async send(takenMs, full, isResting, encode) {
    this.inFlight += 1;
    this.isFullInFlight = full;
    const [stream, number] = [this.stream, (this.number += 1)];
    const [small, whole] = await encode();
    const { status, answer } = small ? await postPicture(this.#address(stream, number, takenMs, small.size, isResting), new Blob(whole ? [small, whole] : [small]), TIMEOUT_MS) : { status: 0, answer: null };
    this.inFlight -= 1;
    if (full) this.isFullInFlight = false;
    if (stream !== this.stream || status === CONFLICT) return; // overtaken by a newer one
    this.heard(status === OK ? answer : null, answer?.error ?? '');
    if (status !== OK) this.begin();
  }

  #address(stream, number, takenMs, smallBytes, isResting) {
    const pace = isResting ? 'resting' : 'moving';
    return `/api/camera/picture?${new URLSearchParams({ stream, number, taken_ms: Math.round(takenMs), small_bytes: smallBytes, pace })}`;
  }
}
