// What the page that records shows: how far a voice is, and which sentence comes next. No DOM.

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
