// The clips of a language: one sound file, decoded ahead, and where in it each clip is.

import { getBytes, getJson } from '../api.js';

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

/** Return true if a pack has a clip. @param {VoicePack} pack @param {string} key @returns {boolean} */
export const hasClip = ({ clips, over }, key) => key in clips || Boolean(over && key in over.clips);

/** When the mark begins, in seconds: browsers differ by up to a tenth of a second in what they cut from an MP3. */
function markOf(buffer) {
  const place = buffer.getChannelData(0).findIndex((sample) => Math.abs(sample) > MARK);
  return Math.max(0, place) / buffer.sampleRate;
}
