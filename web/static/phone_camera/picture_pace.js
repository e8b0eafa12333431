// When the phone sends its next picture, and whether in full. No DOM; times are milliseconds of one clock.

/** Between pictures while things move: fifteen a second. */
const MOVING_MS = 60;
/** Between pictures while nothing moves: some four a second, for battery and heat. The box calls 300 ms without one a gap. */
const RESTING_MS = 220;
/** So long after the last motion full pictures follow each other fast, until the box has read the dice; then seldom. */
const READING_MS = 1500;
const FULL_MS = 130;
const LATER_FULL_MS = 1000;

/**
 * @typedef {{now: number, movedAt: number, sentAt: number, fullAt: number, needsFull: boolean}} Moment what is known: when something
 * moved last, when a picture was sent last and one in full, and whether the box needs a full one
 * @typedef {{full: boolean, isResting: boolean}} Picture
 */

/** Return which picture to send now, null for none yet. @param {Moment} moment @returns {Picture | null} */
export function nextPicture({ now, movedAt, sentAt, fullAt, needsFull }) {
  const stillFor = now - movedAt;
  const isMoving = stillFor < MOVING_MS;
  if (!Number.isFinite(fullAt)) return { full: true, isResting: false };
  if (isMoving) return now - sentAt >= MOVING_MS ? { full: false, isResting: false } : null;
  const isNew = fullAt <= movedAt;
  const due = stillFor < READING_MS ? FULL_MS : LATER_FULL_MS;
  if (isNew || (needsFull && now - fullAt >= due)) return { full: true, isResting: stillFor >= READING_MS };
  const pause = stillFor < READING_MS ? FULL_MS : RESTING_MS;
  return now - sentAt >= pause ? { full: false, isResting: stillFor >= READING_MS } : null;
}
