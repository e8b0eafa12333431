// Hands on what the microphone hears, in blocks. Runs in the browser's audio thread; it imports nothing.

/** Samples of a block: at 48 kHz some 21 ms. */
const BLOCK = 1024;

class MicrophoneTap extends AudioWorkletProcessor {
  constructor() {
    super();
    this.block = new Float32Array(BLOCK);
    this.filled = 0;
  }

  /** Collect samples of the first channel. @param {Float32Array[][]} inputs @returns {boolean} */
  process([[channel] = []]) {
    for (const sample of channel ?? []) {
      this.block[this.filled] = sample;
      this.filled += 1;
      if (this.filled === BLOCK) {
        this.port.postMessage(this.block.slice());
        this.filled = 0;
      }
    }
    return true;
  }
}

registerProcessor('microphone-tap', MicrophoneTap);
