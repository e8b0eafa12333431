// When the phone sends its next picture, whether in full, and how: a stream of them, begun again where the box asks for it. Pictures
// that were taken while the network stood still or was gone for a second follow in their order, so that the box misses nothing of a
// throw; but never many.

import { postJson, postPicture } from '../api.js';
import { sleep } from '../live_view.js';

/* Whether anything moves before the camera, by small pictures that follow each other */

/** Levels of brightness, 0 to 255, by which a place must change; a phone's noise in so small a picture is a fifth of it. */
const LEVELS = 14;
/** Fewer changed places are noise: a die of 16 mm has about 36 of them in a tray that fills the picture. */
const LEAST_PLACES = 5;

/** Return the brightness of each place of a picture. @param {Uint8ClampedArray} rgba @returns {Uint8ClampedArray} */
function brightness(rgba) {
  const levels = new Uint8ClampedArray(rgba.length / 4);
  for (let place = 0; place < levels.length; place += 1) levels[place] = (rgba[4 * place] + 2 * rgba[4 * place + 1] + rgba[4 * place + 2]) / 4;
  return levels;
}

/** Compares each picture with the one before it. */
export class MotionWatch {
  #last = new Uint8ClampedArray(0);

  /** Take in the next picture; return true if something moved. The first one, and one of another size, is motion. @param {Uint8ClampedArray} rgba @returns {boolean} */
  sees(rgba) {
    const now = brightness(rgba);
    const last = this.#last;
    this.#last = now;
    if (last.length !== now.length) return true;
    let changed = 0;
    for (let place = 0; place < now.length; place += 1) {
      if (Math.abs(now[place] - last[place]) > LEVELS) changed += 1;
      if (changed >= LEAST_PLACES) return true;
    }
    return false;
  }
}

/* When: times are milliseconds of one clock */

/** Between pictures while things move: every one of thirty a second. At fifteen dice that roll are lost where one more picture is missing. */
const EVERY_MS = 20;
/** The same while pictures wait to be sent: fifteen a second. */
const BEHIND_MS = 60;
/** Without motion for this long, nothing moves any more: the next picture of thirty a second. */
const STILL_MS = EVERY_MS;
/** For this long after the last motion every picture is sent, so that the box sees the dice at rest. */
const SETTLING_MS = 170;
/** Between pictures while nothing moves: two or three a second, for battery and heat. The box calls 700 ms without one a gap. */
const RESTING_MS = 390;
/** So long after the last motion full pictures follow each other fast, until the box has read the dice; then seldom. */
const READING_MS = 1500;
const FULL_MS = 130;
const LATER_FULL_MS = 1000;
/** Between two looks for motion at rest, and while something moves or was moved lately: every picture of thirty a second. */
const LOOK_MS = { resting: 55, awake: EVERY_MS };

/** A page that has not checked for this long may have been asleep. */
const ASLEEP_MS = 200;

/**
 * @typedef {{now: number, movedAt: number, sentAt: number, fullAt: number, needsFull: boolean, isBehind: boolean}} Moment what is known: when
 * something moved last, when a picture was sent last and one in full, whether the box needs a full one, and whether pictures wait
 * @typedef {{now: number, movedAt: number, lookedAt: number}} Look
 */

/** Return true if it is time to look for motion again. @param {Look} look @returns {boolean} */
export const isLookDue = ({ now, movedAt, lookedAt }) => now - lookedAt >= (now - movedAt < READING_MS ? LOOK_MS.awake : LOOK_MS.resting);

/** Return true if the next picture was waited with on purpose: until the last look, a moment ago, nothing had moved for long. @param {Look} look @returns {boolean} */
export const isSpared = ({ now, movedAt, lookedAt }) => lookedAt - movedAt >= READING_MS && now - lookedAt < ASLEEP_MS;

/** Return whether the picture to send now is a full one, null for none yet. @param {Moment} moment @returns {{full: boolean} | null} */
export function nextPicture({ now, movedAt, sentAt, fullAt, needsFull, isBehind }) {
  const stillFor = now - movedAt;
  if (!Number.isFinite(fullAt)) return { full: true };
  if (stillFor < STILL_MS) return now - sentAt >= (isBehind ? BEHIND_MS : EVERY_MS) ? { full: false } : null;
  const isNew = fullAt <= movedAt;
  if (isNew || (needsFull && now - fullAt >= (stillFor < READING_MS ? FULL_MS : LATER_FULL_MS))) return { full: true };
  return now - sentAt >= pause(stillFor) ? { full: false } : null;
}

function pause(stillFor) {
  if (stillFor < SETTLING_MS) return STILL_MS;
  return stillFor < READING_MS ? FULL_MS : RESTING_MS;
}

/* The stream */

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
