// Recording a voice: the device's microphone, when somebody has finished speaking, the WAV file, and which sentence comes next.

/** Seconds that a sentence takes: to read, to say, and the pause after it. */
const SENTENCE_S = 5;

/** Return the keys that a voice has in a language. @param {any} voice @param {string} language @returns {Set<string>} */
export const recordedKeys = (voice, language) => new Set(voice.recorded.find((each) => each.language === language)?.keys ?? []);

/**
 * Return the place of the next sentence that is not recorded, from a place on and then from the beginning; null where all are.
 * @param {{key: string}[]} sentences @param {Set<string>} recorded @param {number} from @returns {number | null}
 */
export function nextPlace(sentences, recorded, from) {
  const places = sentences.map((_, place) => (place + from) % sentences.length);
  return places.find((place) => !recorded.has(sentences[place].key)) ?? null;
}

/** Return the minutes that so many sentences take, at least one. @param {number} count @returns {number} */
export const minutesFor = (count) => Math.max(1, Math.round((count * SENTENCE_S) / 60));

/** Return true if a sentence is the beginning of a longer word. @param {{text: string}} sentence @returns {boolean} */
export const isBeginning = ({ text }) => text.endsWith('-');

/* When somebody has begun to speak, and when they have finished */

/** Speech is louder than this, and so many times louder than the room (root mean square, of 1). */
const LEAST_LOUD = 0.012;
const ABOVE_ROOM = 3.5;
/** Seconds: of sound that is speech and no knock, of silence after which a sentence is over, and for which words are waited for. */
const SPEECH_S = 0.08;
const PAUSE_S = 0.9;
const PATIENCE_S = 8;
/** How fast the room's own noise is taken to grow, a block: it may have been quieter at the beginning. */
const GROWTH = 1.01;

/** Return the loudness of a block, 0 to 1. */
const loudness = (block) => Math.sqrt(block.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, block.length));

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

const HEADER = 44;

/** Return a WAV file of samples, -1 to 1. @param {Float32Array} samples @param {number} rate @returns {ArrayBuffer} */
export function wavFile(samples, rate) {
  const bytes = new DataView(new ArrayBuffer(HEADER + 2 * samples.length));
  const text = (at, word) => [...word].forEach((letter, place) => bytes.setUint8(at + place, letter.charCodeAt(0)));
  text(0, 'RIFF');
  bytes.setUint32(4, HEADER - 8 + 2 * samples.length, true);
  text(8, 'WAVEfmt ');
  bytes.setUint32(16, 16, true);
  bytes.setUint16(20, 1, true); // PCM
  bytes.setUint16(22, 1, true); // channels
  bytes.setUint32(24, rate, true);
  bytes.setUint32(28, 2 * rate, true); // bytes a second
  bytes.setUint16(32, 2, true); // bytes of all channels together
  bytes.setUint16(34, 16, true); // bits of a sample
  text(36, 'data');
  bytes.setUint32(40, 2 * samples.length, true);
  samples.forEach((sample, place) => bytes.setInt16(HEADER + 2 * place, Math.round(32767 * Math.max(-1, Math.min(1, sample))), true));
  return bytes.buffer;
}

/* The microphone: opened once, and recorded from sentence by sentence */

const WANTED = { video: false, audio: { channelCount: 1, echoCancellation: false, noiseSuppression: true, autoGainControl: true } };

/** Return true if this browser lends a page its microphone here: over https and on the box itself. @returns {boolean} */
export const canRecord = () => Boolean(navigator.mediaDevices?.getUserMedia) && 'audioWorklet' in AudioContext.prototype;

/** The microphone of this device. */
export class OwnMicrophone {
  constructor() {
    [this.context, this.stream, this.tap, this.watch] = [null, null, null, null];
    addEventListener('pagehide', () => this.close());
  }

  /** Open the microphone unless it is open; called from a tap. Rejects where the browser or the person refuses, and where it was closed while the browser asked. @returns {Promise<void>} */
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
