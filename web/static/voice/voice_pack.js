// The clips of a language: one sound file, decoded ahead, and where in it each clip is.

import { getBytes, getJson } from '../api.js';

/** How long a pack may take over a weak Wi-Fi, in milliseconds. */
const LONGEST_MS = 60000;
/** Samples a second that are kept of speech: three times less memory than at the rate of most tablets. */
const RATE = 16000;
/** The height from which on the first sound of the file is its mark: a tone from which all clips are counted. */
const MARK = 0.3;

/** @typedef {{buffer: AudioBuffer, mark: number, clips: Record<string, [number, number]>}} VoicePack seconds */

const addressOf = (name) => new URL(name, import.meta.url).href;

/** Return the languages that have clips, each with its own name. @returns {Promise<{language: string, title: string}[]>} */
export const loadLanguages = () => getJson(addressOf('languages.json'));

/** Fetch and decode a language's clips. @param {string} language @returns {Promise<VoicePack>} */
export async function loadPack(language) {
  const [{ clips }, bytes] = await Promise.all([getJson(addressOf(`${language}.json`)), getBytes(addressOf(`${language}.mp3`), LONGEST_MS)]);
  const buffer = await new OfflineAudioContext(1, 1, RATE).decodeAudioData(bytes);
  return { buffer, mark: markOf(buffer), clips };
}

/** When the mark begins, in seconds: browsers differ by up to a tenth of a second in what they cut from an MP3. */
function markOf(buffer) {
  const place = buffer.getChannelData(0).findIndex((sample) => Math.abs(sample) > MARK);
  return Math.max(0, place) / buffer.sampleRate;
}
