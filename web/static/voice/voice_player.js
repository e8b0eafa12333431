// Plays what is said: sounds and clips by Web Audio, names by the browser's own voice. What is newer ends what is older,
// or follows where that is nearly over.

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
/** Seconds: words that end within this are not cut off by newer ones that begin with a sound; those follow them. */
const FINISH_S = 2.5;
/** An utterance that has waited this long for its clips or for the device's sound is dropped. */
const UNSAID_MS = 6000;
/** How long a context that was interrupted may take to go on, and how long a clock that runs may show the same time. */
const RESUMES_MS = 500;
const CLOCK_MS = 400;

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
    this.ticket = 0;
    this.stops = 0;
    /** @type {Promise<void> | null} words of which a name is not over yet */
    this.naming = null;
    this.isQueued = false;
    /** @type {{parts: SpokenPart[], until: number} | null} */
    this.unsaid = null;
    this.open();
  }

  /** Open the device's sound. A browser keeps it silent until a tap. */
  open() {
    this.context = new AudioContext({ latencyHint: 'interactive' });
    this.context.addEventListener('statechange', this.changed);
    this.out = null;
    this.saidUntil = 0;
    this.stoodAt = -1;
    this.changed();
  }

  /** True if sound can be heard. A lock makes it "interrupted" on iOS, or leaves it "running" with a clock that stands still. */
  get isRunning() {
    return this.context.state === 'running' && this.context.currentTime !== this.stoodAt;
  }

  /** Look whether the clock stands still although the sound is said to run; called when the page is seen again. */
  async checkClock() {
    const { context } = this;
    const before = context.currentTime;
    await pause(CLOCK_MS);
    this.stoodAt = context.state === 'running' && context.currentTime === before ? before : -1;
    this.changed();
  }

  /** Go on after a lock; called from a tap. A context that cannot go on is replaced. What waited for it is said. */
  async resume() {
    const { context } = this;
    const isBroken = context.state === 'interrupted' || (context.state === 'running' && !this.isRunning);
    await Promise.race([context.resume().catch(() => null), ...(isBroken ? [pause(RESUMES_MS)] : [])]);
    if (isBroken) await this.checkClock();
    if (context === this.context && (context.state === 'closed' || (isBroken && !this.isRunning))) {
      context.close().catch(() => null);
      this.open();
      await this.context.resume().catch(() => null);
    }
    this.sayUnsaid();
  }

  /** Take the clips of a voice; what waited for them is said. @param {VoicePack} pack @param {string} language @param {string} voice @returns {void} */
  take(pack, language, voice) {
    Object.assign(this, { pack, language, voice });
    this.sayUnsaid();
  }

  /** End what is said, without a click, and what waits to be said. */
  stop() {
    this.ticket += 1;
    this.stops += 1;
    this.naming = null;
    this.isQueued = false;
    this.unsaid = null;
    this.saidUntil = 0;
    globalThis.speechSynthesis?.cancel();
    const { out, context } = this;
    if (!out) return;
    out.gain.setTargetAtTime(0, context.currentTime, 0.01);
    setTimeout(() => out.disconnect(), 100);
    this.out = null;
  }

  /**
   * Say parts now, in place of what is being said; a sound alone ends no words, and words that are nearly over are finished
   * while the sound of the newer ones is heard already. @param {SpokenPart[]} parts @returns {Promise<void>}
   */
  async say(parts) {
    if (!this.isRunning) return this.keep(parts);
    const { context } = this;
    const soon = context.currentTime + SOON_S;
    const firstWord = parts.findIndex(({ sound }) => !sound);
    const lead = firstWord < 0 ? parts : parts.slice(0, firstWord);
    const words = parts.slice(lead.length);
    if (words.length && !(lead.length && this.isNearlyOver(soon))) this.stop();
    const from = startParts(context, context.destination, null, lead, soon);
    if (words.length && this.pack) await this.sayWords(words, from);
    else if (words.length) this.keep(words);
  }

  /** True if words are being said that end soon: those with a name, too, if nothing waits for their end already. */
  isNearlyOver(soon) {
    if (this.isQueued || this.saidUntil >= soon + FINISH_S) return false;
    return this.saidUntil > soon || this.naming !== null;
  }

  /** Say parts one after another from a time of the context on, after the words before them, until all is stopped. */
  async sayWords(parts, from) {
    this.ticket += 1;
    const { stops, naming } = this;
    if (naming) {
      this.isQueued = true;
      await naming;
      if (stops !== this.stops) return;
      this.isQueued = false;
    }
    const voice = voiceOf(this.language);
    const said = this.sayRuns(runsOf(parts, voice), from, voice, stops);
    if (!voice || !parts.some(({ name }) => name)) return;
    this.naming = said;
    await said;
    if (this.naming === said) this.naming = null;
  }

  /** Say runs one after another, each name before its words, until all is stopped. */
  async sayRuns(runs, from, voice, stops) {
    const { context } = this;
    for (const run of runs) {
      let isNamed = false;
      if (voice && run[0].name) {
        await until(context, Math.max(from, this.saidUntil));
        if (stops !== this.stops) return;
        isNamed = await sayName(run[0].name, voice);
        if (stops !== this.stops) return;
      }
      this.out ??= openedGain(context);
      this.saidUntil = startParts(context, this.out, this.pack, run, Math.max(from, this.saidUntil, context.currentTime + SOON_S), isNamed);
    }
  }

  /** Keep parts until they can be said. A sound alone takes the place of no words. */
  keep(parts) {
    const isSound = parts.every(({ sound }) => sound);
    if (isSound && this.unsaid && Date.now() < this.unsaid.until) return;
    this.unsaid = { parts, until: Date.now() + UNSAID_MS };
  }

  sayUnsaid() {
    if (!this.unsaid || !this.isRunning || !this.pack) return;
    const { parts, until: over } = this.unsaid;
    this.unsaid = null;
    if (Date.now() < over) void this.say(parts);
  }
}

function openedGain(context) {
  const out = new GainNode(context);
  out.connect(context.destination);
  return out;
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

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const until = (context, time) => pause(1000 * Math.max(0, time - context.currentTime));
