// The device's microphone: opened once, and recorded from sentence by sentence until somebody has finished speaking.

import { loudness, SpeechWatch } from './speech_watch.js';

const WANTED = { video: false, audio: { channelCount: 1, echoCancellation: false, noiseSuppression: true, autoGainControl: true } };

/** Return true if this browser lends a page its microphone here: over https and on the box itself. @returns {boolean} */
export const canRecord = () => Boolean(navigator.mediaDevices?.getUserMedia) && 'audioWorklet' in AudioContext.prototype;

/** The microphone of this device. */
export class OwnMicrophone {
  constructor() {
    [this.context, this.stream, this.tap, this.watch] = [null, null, null, null];
    addEventListener('pagehide', () => this.close());
  }

  /**
   * Open the microphone unless it is open; called from a tap. Rejects where the browser or the person refuses, and where it was
   * closed while the browser asked. @returns {Promise<void>}
   */
  async open() {
    if (this.stream?.active && this.context.state === 'running') return;
    this.close();
    const context = new AudioContext();
    this.context = context;
    const stream = await navigator.mediaDevices.getUserMedia(WANTED);
    if (this.context === context) this.stream = stream;
    else stopTracks(stream);
    await Promise.all([context.audioWorklet.addModule(new URL('microphone_worklet.js', import.meta.url).href), context.resume()]);
    if (this.context !== context) throw new DOMException('', 'AbortError');
    this.tap = new AudioWorkletNode(context, 'microphone-tap', { numberOfOutputs: 0 });
    context.createMediaStreamSource(stream).connect(this.tap);
  }

  /** Let go of the microphone: the browser's sign for it goes out. @returns {void} */
  close() {
    this.stop();
    if (this.stream) stopTracks(this.stream);
    this.context?.close().catch(() => null);
    [this.context, this.stream] = [null, null];
  }

  /** End the recording under way. @returns {void} */
  stop() {
    this.tap?.port.dispatchEvent(new Event('enough'));
  }

  /**
   * Record until somebody has finished speaking, or `stop` is called; resolve to the samples at a rate, null where nothing was
   * heard. @param {number} longestS seconds @param {number} rate samples a second @param {(level: number) => void} show called with
   * the loudness, 0 to 1 @returns {Promise<Float32Array | null>}
   */
  async record(longestS, rate, show) {
    const [{ port }, watch] = [this.tap, new SpeechWatch(this.context.sampleRate, longestS)];
    /** @type {Float32Array[]} */
    const blocks = [];
    await new Promise((resolve) => {
      port.onmessage = ({ data }) => {
        blocks.push(data);
        show(loudness(data));
        if (!watch.hear(data)) resolve(null);
      };
      port.addEventListener('enough', resolve, { once: true });
    });
    port.onmessage = null;
    return watch.hasSpoken ? atRate(blocks, this.context?.sampleRate ?? rate, rate) : null;
  }
}

const stopTracks = (stream) => stream.getTracks().forEach((track) => track.stop());

/** Return blocks in one, at another rate: the browser's own filter keeps out what that rate cannot hold. */
async function atRate(blocks, from, rate) {
  const length = blocks.reduce((sum, block) => sum + block.length, 0);
  const context = new OfflineAudioContext(1, Math.ceil((length * rate) / from), rate);
  const buffer = context.createBuffer(1, length, from);
  blocks.reduce((at, block) => {
    buffer.copyToChannel(block, 0, at);
    return at + block.length;
  }, 0);
  const source = new AudioBufferSourceNode(context, { buffer });
  source.connect(context.destination);
  source.start();
  return (await context.startRendering()).getChannelData(0);
}
