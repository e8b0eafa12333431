// Which of the snapshot's utterances are said on this tablet, and by which clips of its voice. No sound, no DOM.

import { stampOf } from '../connection.js';

/**
 * @typedef {{sound?: string, clips?: string[][], name?: string, unnamed?: string[][]}} SpokenPart
 *   a sound, or rows of clips, the best first. `name` is said before them where the browser has a voice for names; where it
 *   has none, `unnamed` is said in their place.
 * @typedef {import('../connection.js').SnapshotStamp | null} Heard the newest snapshot that was heard of, null before the first
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

/**
 * Return the keys of the clips that say a part; none where the voice lacks them. @param {SpokenPart} part
 * @param {boolean} isNamed whether its name was said @param {(key: string) => boolean} has @returns {string[]}
 */
export function partClips({ clips = [], unnamed = [] }, isNamed, has) {
  return (isNamed || !unnamed.length ? clips : unnamed).find((row) => row.every(has)) ?? [];
}
