// The state of the page's connection to the table, and what each event asks for. No DOM, no clock, no network.
//
// The browser reconnects an event stream by itself, but it does not notice a network that silently went away, and it
// gives up when it is refused. So the page also polls the snapshot now and then, and opens a stream that brings nothing
// again.

/** Milliseconds. A timer that is later than this means that the page slept: timers of hidden pages are throttled too. */
export const ASLEEP_MS = 7000;

const MOST_MISSED = 1;

/**
 * @typedef {{number: number, run: string | undefined}} SnapshotStamp
 * @typedef {{newest: SnapshotStamp | null, missed: number, failing: boolean, tickedAt: number}} Connection
 * `missed` counts polls in a row that found a snapshot which the stream had not brought.
 */

/** Return which snapshot this is: numbers count within one run of the server. @param {any} snapshot @returns {SnapshotStamp} */
export const stampOf = ({ number, extras }) => ({ number, run: extras.run });

/** Return true if a snapshot is newer than another one, or the first, or of another run. @param {SnapshotStamp} stamp @param {SnapshotStamp | null} than @returns {boolean} */
export const isNewer = (stamp, than) => than === null || stamp.run !== than.run || stamp.number > than.number;

/** Return true if the server was started again since this connection heard from it. @param {Connection} connection @param {SnapshotStamp} stamp @returns {boolean} */
export const hasRestarted = ({ newest }, stamp) => newest !== null && newest.run !== stamp.run;

/** Return the number of the game in a step, which reads "game.entries". @param {string} step @returns {string} */
export const gameNumber = (step) => step.split('.')[0];

/** Return a new connection. @param {number} now milliseconds @returns {Connection} */
export const newConnection = (now) => ({ newest: null, missed: 0, failing: false, tickedAt: now });

/** Note that the stream is opened. @param {Connection} connection @returns {Connection} */
export const onStreamOpened = (connection) => ({ ...connection, missed: 0 });

/** Note a snapshot of the stream. @param {Connection} connection @param {SnapshotStamp} stamp @returns {Connection} */
export const onStreamed = (connection, stamp) => ({ ...connection, newest: stamp, missed: 0, failing: false });

/** Note an error of the stream or of a poll. @param {Connection} connection @returns {Connection} */
export const onFailed = (connection) => ({ ...connection, failing: true });

/**
 * Note a polled snapshot: whether to show it, and whether to open the stream again.
 * @param {Connection} connection @param {SnapshotStamp} stamp @param {boolean} streamClosed
 * @returns {{connection: Connection, show: boolean, reopen: boolean}}
 */
export function onPolled(connection, stamp, streamClosed) {
  const show = isNewer(stamp, connection.newest);
  const missed = show ? connection.missed + 1 : 0;
  const newest = show ? stamp : connection.newest;
  return { connection: { ...connection, newest, missed, failing: false }, show, reopen: missed > MOST_MISSED || streamClosed };
}

/**
 * Note a tick of the timer: what to do now. @param {Connection} connection @param {number} now @param {boolean} streamClosed
 * @returns {{connection: Connection, next: 'wake' | 'poll' | 'none'}}
 */
export function onTick(connection, now, streamClosed) {
  const late = now - connection.tickedAt;
  const next = late > ASLEEP_MS ? 'wake' : connection.failing || streamClosed ? 'poll' : 'none';
  return { connection: { ...connection, tickedAt: now }, next };
}
