// When the phone sends its next picture, and whether in full. No DOM; times are milliseconds of one clock.

/** Between pictures while things move: every one of thirty a second. At fifteen dice that roll are lost where one more picture is missing. */
const EVERY_MS = 20;
/** The same while pictures wait to be sent: fifteen a second. */
const BEHIND_MS = 60;
/** Without motion for this long, nothing moves any more: the next picture of thirty a second. */
const STILL_MS = EVERY_MS;
/** For this long after the last motion every picture is sent, so that the box sees the dice at rest. */
const SETTLING_MS = 170;
/** Between pictures while nothing moves: two or three a second, for battery and heat. The box calls 700 ms without one a gap. */
const RESTING_MS = 390;
/** So long after the last motion full pictures follow each other fast, until the box has read the dice; then seldom. */
const READING_MS = 1500;
const FULL_MS = 130;
const LATER_FULL_MS = 1000;
/** Between two looks for motion at rest, and while something moves or was moved lately: every picture of thirty a second. */
const LOOK_MS = { resting: 55, awake: EVERY_MS };

/** A page that has not checked for this long may have been asleep. */
const ASLEEP_MS = 200;

/**
 * @typedef {{now: number, movedAt: number, sentAt: number, fullAt: number, needsFull: boolean, isBehind: boolean}} Moment what is known: when
 * something moved last, when a picture was sent last and one in full, whether the box needs a full one, and whether pictures wait
 * @typedef {{now: number, movedAt: number, lookedAt: number}} Look
 */

/** Return true if it is time to look for motion again. @param {Look} look @returns {boolean} */
export const isLookDue = ({ now, movedAt, lookedAt }) => now - lookedAt >= (now - movedAt < READING_MS ? LOOK_MS.awake : LOOK_MS.resting);

/** Return true if the next picture was waited with on purpose: until the last look, a moment ago, nothing had moved for long. @param {Look} look @returns {boolean} */
export const isSpared = ({ now, movedAt, lookedAt }) => lookedAt - movedAt >= READING_MS && now - lookedAt < ASLEEP_MS;

/** Return whether the picture to send now is a full one, null for none yet. @param {Moment} moment @returns {{full: boolean} | null} */
export function nextPicture({ now, movedAt, sentAt, fullAt, needsFull, isBehind }) {
  const stillFor = now - movedAt;
  if (!Number.isFinite(fullAt)) return { full: true };
  if (stillFor < STILL_MS) return now - sentAt >= (isBehind ? BEHIND_MS : EVERY_MS) ? { full: false } : null;
  const isNew = fullAt <= movedAt;
  if (isNew || (needsFull && now - fullAt >= (stillFor < READING_MS ? FULL_MS : LATER_FULL_MS))) return { full: true };
  return now - sentAt >= pause(stillFor) ? { full: false } : null;
}

function pause(stillFor) {
  if (stillFor < SETTLING_MS) return STILL_MS;
  return stillFor < READING_MS ? FULL_MS : RESTING_MS;
}
