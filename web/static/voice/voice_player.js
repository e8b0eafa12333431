// Plays what is said: sounds and clips by Web Audio, names by the browser's own voice. What is newer ends what is older.

import { partClips } from './spoken_parts.js';
import { hasClip } from './voice_pack.js';
import { startSound } from './voice_sounds.js';

/** @typedef {import('./spoken_parts.js').SpokenPart} SpokenPart @typedef {import('./voice_pack.js').VoicePack} VoicePack */

/** Seconds: how soon a clip is started, and the breath between two parts. */
const SOON_S = 0.005;
const BREATH_S = 0.06;
/** A voice that has not begun by then, or ended by then, is not waited for: some devices list voices that are not there. */
const NAME_BEGINS_MS = 700;
const NAME_ENDS_MS = 4000;

/**
 * Start sounds and clips one after another at a time of the context; return when they are over, in its seconds.
 * @param {BaseAudioContext} context @param {AudioNode} out @param {VoicePack | null} pack @param {SpokenPart[]} parts @param {number} when
 * @param {boolean} isNamed whether the name of the first part was said @returns {number}
 */
export function startParts(context, out, pack, parts, when, isNamed = false) {
  return parts.reduce((at, part, place) => {
    if (part.sound) return at + startSound(context, out, part.sound, at);
    const keys = pack ? partClips(part, isNamed && place === 0, (key) => hasClip(pack, key)) : [];
    return keys.reduce((next, key) => next + startClip(context, out, pack, key, next), at) + (keys.length ? BREATH_S : 0);
  }, when);
}

function startClip(context, out, pack, key, when) {
  const { buffer, mark, clips } = pack.over && key in pack.over.clips ? pack.over : pack;
  const [start, length] = clips[key];
  const source = new AudioBufferSourceNode(context, { buffer });
  source.connect(out);
  source.start(when, mark + start, length);
  return length;
}

/** What plays on one tablet. */
export class VoicePlayer {
  /** @param {() => void} changed called when the sound of the device stops or goes on */
  constructor(changed) {
    this.changed = changed;
    this.pack = null;
    this.language = '';
    this.voice = '';
    this.context = null;
    this.out = null;
    this.ticket = 0;
    this.open();
  }

  /** Open the device's sound. A browser keeps it silent until a tap. */
  open() {
    this.context = new AudioContext({ latencyHint: 'interactive' });
    this.context.addEventListener('statechange', this.changed);
    this.changed();
  }

  /** True if sound can be heard. On iOS a lock makes it "interrupted". */
  get isRunning() {
    return this.context.state === 'running';
  }

  /** Go on after a lock; called from a tap. A context that cannot go on is replaced. */
  async resume() {
    await this.context.resume().catch(() => null);
    if (this.context.state !== 'closed') return;
    this.open();
    await this.context.resume().catch(() => null);
  }

  /** End what is said, without a click. */
  stop() {
    this.ticket += 1;
    globalThis.speechSynthesis?.cancel();
    const { out, context } = this;
    if (!out) return;
    out.gain.setTargetAtTime(0, context.currentTime, 0.01);
    setTimeout(() => out.disconnect(), 100);
    this.out = null;
  }

  /** Say parts now, in place of what is being said; a sound alone ends no words. @param {SpokenPart[]} parts @returns {Promise<void>} */
  async say(parts) {
    if (parts.every(({ sound }) => sound)) {
      if (this.isRunning) startParts(this.context, this.context.destination, null, parts, this.context.currentTime + SOON_S);
      return;
    }
    this.stop();
    if (!this.isRunning) return;
    const { ticket } = this;
    this.out = new GainNode(this.context);
    this.out.connect(this.context.destination);
    const voice = voiceOf(this.language);
    for (const run of runsOf(parts, voice)) {
      const isNamed = Boolean(voice && run[0].name) && (await sayName(run[0].name, voice));
      if (ticket !== this.ticket) return;
      const end = startParts(this.context, this.out, this.pack, run, this.context.currentTime + SOON_S, isNamed);
      await until(this.context, end);
      if (ticket !== this.ticket) return;
    }
  }
}

/** Parts in runs: each name that a voice can say begins one. */
function runsOf(parts, voice) {
  const runs = [];
  for (const part of parts) {
    if (!runs.length || (voice && part.name)) runs.push([]);
    runs.at(-1).push(part);
  }
  return runs;
}

/** A voice on this device for names, null for none: one that needs the internet is none. */
function voiceOf(language) {
  const voices = globalThis.speechSynthesis?.getVoices() ?? [];
  return voices.find(({ lang, localService }) => localService && lang.toLowerCase().startsWith(language)) ?? null;
}

/** Say a name; resolve to whether it was said. */
function sayName(name, voice) {
  const words = new SpeechSynthesisUtterance(name);
  words.voice = voice;
  words.lang = voice.lang;
  return new Promise((resolve) => {
    const begins = setTimeout(() => resolve(false), NAME_BEGINS_MS);
    setTimeout(() => resolve(true), NAME_ENDS_MS);
    words.onstart = () => clearTimeout(begins);
    words.onend = () => resolve(true);
    words.onerror = () => resolve(false);
    speechSynthesis.speak(words);
  });
}

const until = (context, time) => new Promise((resolve) => setTimeout(resolve, 1000 * Math.max(0, time - context.currentTime)));
