// Short sounds of our own, made by oscillators: what was accepted, lost, asked or won.

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

/**
 * Start a sound; return the seconds until speech may begin, 0 for a sound that does not exist.
 * @param {BaseAudioContext} context @param {AudioNode} out @param {string} name @param {number} when @returns {number}
 */
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
