// Plays what is said: sounds and clips by Web Audio, names by the browser's own voice. What is newer ends what is older,
// or follows where that is nearly over.

import { getBytes, getJson } from '../api.js';
import { stampOf } from '../events.js';

/* Which of the snapshot’s utterances are said on this tablet, and by which clips of its voice */

/**
 * @typedef {{sound?: string, clips?: string[][], name?: string, unnamed?: string[][]}} SpokenPart
 *   a sound, or rows of clips, the best first. `name` is said before them where the browser has a voice for names; where it
 *   has none, `unnamed` is said in their place.
 * @typedef {import('../events.js').SnapshotStamp | null} Heard the newest snapshot that was heard of, null before the first
 */

/**
 * Return the parts that are said of a snapshot: of all that the table said since the last one, none of what was there when
 * the page was opened or heard from the table again. @param {Heard} heard @param {any} snapshot @param {string} level
 * @returns {SpokenPart[]}
 */
export function partsSince(heard, snapshot, level) {
  if (!heard || heard.run !== stampOf(snapshot).run) return [];
  const since = snapshot.utterances.filter(({ number }) => number > heard.number);
  return since.filter((each) => level === 'all' || each.level === level).flatMap(({ parts }) => parts);
}

/** Return the keys of the clips that say a part; none where the voice lacks them. @param {SpokenPart} part @param {boolean} isNamed whether its name was said @param {(key: string) => boolean} has @returns {string[]} */
export function partClips({ clips = [], unnamed = [] }, isNamed, has) {
  return (isNamed || !unnamed.length ? clips : unnamed).find((row) => row.every(has)) ?? [];
}

/* The clips of a language: one sound file, decoded ahead, and where in it each clip is */

/** How long a pack may take over a weak Wi-Fi, in milliseconds. */
const LONGEST_MS = 60000;
/** Samples a second that are kept of speech: three times less memory than at the rate of most tablets. */
const RATE = 16000;
/** The height from which on the first sound of the file is its mark: a tone from which all clips are counted. */
const MARK = 0.3;

/**
 * @typedef {{buffer: AudioBuffer, mark: number, clips: Record<string, [number, number]>, over: VoicePack | null}} VoicePack
 *   where each clip begins and how long it is, in seconds; `over` has the clips that a family recorded, which go first
 */

const addressOf = (name) => new URL(name, import.meta.url).href;

/** Return the languages that have clips, each with its own name. @returns {Promise<{language: string, title: string}[]>} */
export const loadLanguages = () => getJson(addressOf('languages.json'));

/**
 * Fetch and decode a language's clips, and those of a family's voice where there are some: a voice that is gone, or has
 * nothing in this language, is left out. @param {string} language @param {string} voice '' for none @returns {Promise<VoicePack>}
 */
export async function loadPack(language, voice = '') {
  const own = voice ? loadClips(`/api/caller/voices/${voice}/clips/${language}`).catch(onlyRefused) : null;
  const [pack, over] = await Promise.all([loadClips(addressOf(language)), own]);
  return { ...pack, over };
}

/** @param {string} address without the names' ends @returns {Promise<VoicePack>} */
async function loadClips(address) {
  const [{ clips }, bytes] = await Promise.all([getJson(`${address}.json`, LONGEST_MS), getBytes(`${address}.mp3`, LONGEST_MS)]);
  const buffer = await new OfflineAudioContext(1, 1, RATE).decodeAudioData(bytes);
  return { buffer, mark: markOf(buffer), clips, over: null };
}

/** A failure that the box gave no reason for is none that it refused. */
function onlyRefused(error) {
  if (error.message) return null;
  throw error;
}

/** Return true if a pack has a clip. */
const hasClip = ({ clips, over }, key) => key in clips || Boolean(over && key in over.clips);

/** When the mark begins, in seconds: browsers differ by up to a tenth of a second in what they cut from an MP3. */
function markOf(buffer) {
  const place = buffer.getChannelData(0).findIndex((sample) => Math.abs(sample) > MARK);
  return Math.max(0, place) / buffer.sampleRate;
}

/* Short sounds of our own, made by oscillators: what was accepted, lost, asked or won */

/**
 * Notes of a sound: when it begins, its pitch in hertz, where that glides to, how long, how loud, and its wave.
 * @typedef {{at: number, hertz: number, to?: number, lasts: number, gain?: number, wave?: OscillatorType}} Note
 */

const chime = (...pitches) => pitches.map((hertz, place) => ({ at: 0.09 * place, hertz, lasts: 0.3 }));

/** @type {Record<string, Note[]>} */
const SOUNDS = {
  accepted: [{ at: 0, hertz: 1320, to: 990, lasts: 0.07, gain: 0.12 }],
  score: chime(660, 880),
  'come-in': chime(523, 659, 784),
  'last-round': chime(784, 784, 988),
  win: [...chime(523, 659, 784, 1047), { at: 0.36, hertz: 1319, lasts: 0.6 }],
  stop: [{ at: 0, hertz: 392, to: 330, lasts: 0.25, wave: 'triangle' }],
  bust: [{ at: 0, hertz: 330, to: 110, lasts: 0.4, wave: 'triangle', gain: 0.3 }],
  vander: [{ at: 0, hertz: 880, to: 220, lasts: 0.3, wave: 'triangle' }, { at: 0.3, hertz: 140, to: 70, lasts: 0.18, gain: 0.4 }],
  ask: chime(587, 740),
};

/** How much of a sound is heard before speech begins, in seconds. */
const BEFORE_SPEECH_S = 0.25;

/** Start a sound; return the seconds until speech may begin, 0 for a sound that does not exist. @param {BaseAudioContext} context @param {AudioNode} out @param {string} name @param {number} when @returns {number} */
export function startSound(context, out, name, when) {
  const notes = SOUNDS[name] ?? [];
  for (const note of notes) startNote(context, out, note, when + note.at);
  return notes.length ? Math.min(BEFORE_SPEECH_S, Math.max(...notes.map(({ at, lasts }) => at + lasts))) : 0;
}

function startNote(context, out, { hertz, to = hertz, lasts, gain = 0.2, wave = 'sine' }, when) {
  const tone = new OscillatorNode(context, { type: wave, frequency: hertz });
  const volume = new GainNode(context, { gain: 0 });
  tone.frequency.setValueAtTime(hertz, when);
  tone.frequency.exponentialRampToValueAtTime(to, when + lasts);
  volume.gain.setValueAtTime(0, when);
  volume.gain.linearRampToValueAtTime(gain, when + 0.008);
  volume.gain.exponentialRampToValueAtTime(0.001, when + lasts);
  tone.connect(volume).connect(out);
  tone.start(when);
  tone.stop(when + lasts);
}

/* The player */

/** @typedef {SpokenPart} SpokenPart @typedef {VoicePack} VoicePack */

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

  /** Say parts now, in place of what is being said; a sound alone ends no words, and words that are nearly over are finished while the sound of the newer ones is heard already. @param {SpokenPart[]} parts @returns {Promise<void>} */
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
