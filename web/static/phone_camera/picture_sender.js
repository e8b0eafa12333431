// Sends the pictures to the box: begins a stream, and begins again where the box asks for it. Pictures that were taken while the
// network stood still or was gone for a second follow in their order, so that the box misses nothing of a throw; but never many.

import { postJson, postPicture } from '../api.js';
import { sleep } from '../timing.js';

const MOST_IN_FLIGHT = 2;
/** Pictures that wait: those of a second and a half in which things move. */
const MOST_WAITING = 28;
/** More than wait while a full picture is on its way: the network, or the box, is slower than the camera. */
const BEHIND = 6;
/** The box says after a second and a half that the picture is gone: so long a picture that did not get through is sent again. */
const GIVEN_UP_MS = 1500;
const TIMEOUT_MS = 2500;
const AGAIN_MS = 250;
const BEGIN_AGAIN_MS = 500;
const OK = 200;
const CONFLICT = 409;
const NOT_ALLOWED = 403;

/** Sends pictures. `heard(answer, problem)` is called with each answer, and with a sentence where there is none. */
export class PictureSender {
  /** @param {(answer: any, problem: string) => void} heard */
  constructor(heard) {
    this.heard = heard;
    this.stream = null;
    this.number = 0;
    this.waiting = [];
    this.inFlight = 0;
    this.isFullInFlight = false;
    this.isBeginning = false;
    this.isPausing = false;
  }

  /** Return true if another picture may be sent. @returns {boolean} */
  get isReady() {
    return this.stream !== null && this.waiting.length < MOST_WAITING;
  }

  /** Return true if more pictures wait than a full one holds up. @returns {boolean} */
  get isBehind() {
    return this.waiting.length > BEHIND;
  }

  /** Return true if a full picture was sent or waits whose answer has not come yet. @returns {boolean} */
  get hasFull() {
    return this.isFullInFlight || this.waiting.some(({ full }) => full);
  }

  /** Begin a stream, as often as it takes. @returns {Promise<void>} */
  async begin() {
    if (this.isBeginning) return;
    this.isBeginning = true;
    this.waiting = [];
    for (this.stream = null; this.stream === null; ) {
      const begun = await postJson('/api/camera/begin', {}, TIMEOUT_MS).catch((error) => ({ problem: error.message }));
      if (begun.stream === undefined) {
        this.heard(null, begun.problem);
        await sleep(BEGIN_AGAIN_MS);
      } else {
        [this.stream, this.number] = [begun.stream, 0];
      }
    }
    this.isBeginning = false;
  }

  /**
   * Send a picture that was taken at a moment of this page's clock: `encode` makes its small JPEG, and its full one or null.
   * @param {number} takenMs @param {boolean} full @param {boolean} isSpared true if it was waited with on purpose @param {() => Promise<(Blob | null)[]>} encode
   */
  send(takenMs, full, isSpared, encode) {
    this.waiting.push({ number: (this.number += 1), takenMs, full, isSpared, jpegs: encode() });
    this.#go();
  }

  /** Send what waits: at most two pictures are under way, and none overtakes a full one. */
  #go() {
    while (this.waiting.length && !this.isPausing && this.inFlight < MOST_IN_FLIGHT && !this.isFullInFlight) this.#post(this.waiting.shift());
  }

  async #post(picture) {
    const { number, takenMs, full, isSpared, jpegs } = picture;
    const stream = this.stream;
    this.inFlight += 1;
    this.isFullInFlight = full;
    const [small, whole] = await jpegs;
    const { status, answer } = small ? await postPicture(this.#address(stream, number, takenMs, small.size, isSpared), new Blob(whole ? [small, whole] : [small]), TIMEOUT_MS) : { status: 0, answer: null };
    this.inFlight -= 1;
    if (full) this.isFullInFlight = false;
    if (stream !== this.stream) return;
    if (status === 0 && performance.now() - takenMs < GIVEN_UP_MS) return this.#sendAgain(picture);
    this.#hear(status, answer);
    this.#go();
  }

  /** Send a picture again that did not get through, before those that came after it. */
  async #sendAgain(picture) {
    const stream = this.stream;
    this.waiting.unshift(picture);
    this.waiting.sort((one, other) => one.number - other.number);
    this.isPausing = true;
    await sleep(AGAIN_MS);
    this.isPausing = false;
    if (stream === this.stream) this.#go();
  }

  #hear(status, answer) {
    if (status === CONFLICT) return; // overtaken by a newer one
    this.heard(status === OK ? answer : null, answer?.error ?? '');
    if (status === NOT_ALLOWED) [this.stream, this.waiting] = [null, []]; // another window sends: two that begin again and again both show nothing
    else if (status !== OK) this.begin();
  }

  #address(stream, number, takenMs, smallBytes, isSpared) {
    const pace = isSpared ? 'resting' : 'moving';
    return `/api/camera/picture?${new URLSearchParams({ stream, number, taken_ms: Math.round(takenMs), small_bytes: smallBytes, pace })}`;
  }
}
