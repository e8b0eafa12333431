// When somebody has begun to speak, and when they have finished. No sound, no DOM.

/** Speech is louder than this, and so many times louder than the room (root mean square, of 1). */
const LEAST_LOUD = 0.012;
const ABOVE_ROOM = 3.5;
/** Seconds: of sound that is speech and no knock, of silence after which a sentence is over, and for which words are waited for. */
const SPEECH_S = 0.08;
const PAUSE_S = 0.9;
const PATIENCE_S = 8;
/** How fast the room's own noise is taken to grow, a block: it may have been quieter at the beginning. */
const GROWTH = 1.01;

/** Return the loudness of a block, 0 to 1. @param {Float32Array} block @returns {number} */
export const loudness = (block) => Math.sqrt(block.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, block.length));

/** Follows one recording, block by block. */
export class SpeechWatch {
  /** @param {number} rate samples a second @param {number} longestS seconds that a recording may last */
  constructor(rate, longestS) {
    [this.rate, this.longestS] = [rate, longestS];
    [this.room, this.spokenS, this.quietS, this.heardS] = [Infinity, 0, 0, 0];
  }

  /** Return true once words were heard. @returns {boolean} */
  get hasSpoken() {
    return this.spokenS >= SPEECH_S;
  }

  /** Take in a block; return true while the recording goes on. @param {Float32Array} block @returns {boolean} */
  hear(block) {
    const [seconds, level] = [block.length / this.rate, loudness(block)];
    this.room = Math.min(this.room * GROWTH, level);
    const isLoud = level > Math.max(LEAST_LOUD, ABOVE_ROOM * this.room);
    this.heardS += seconds;
    this.quietS = isLoud ? 0 : this.quietS + seconds;
    if (isLoud) this.spokenS += seconds;
    else if (!this.hasSpoken && this.quietS > SPEECH_S) this.spokenS = 0;
    if (this.heardS >= this.longestS) return false;
    return this.hasSpoken ? this.quietS < PAUSE_S : this.heardS < PATIENCE_S;
  }
}
