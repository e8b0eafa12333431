// The table's event stream: every new snapshot as it comes, whether the table answers at all, and the newest snapshot for parts
// that are loaded later.
// 
// The browser reconnects an event stream by itself, but it does not notice a network that silently went away, and it
// gives up when it is refused. So the page also polls the snapshot now and then, and opens a stream that brings nothing
// again.

import { getJson, isServed } from './api.js';
import { shareStream } from './shared_stream.js';

/* The connection as a value, and what each event asks for: no DOM, no clock, no network */

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

/** Note a tick of the timer: what to do now. @param {Connection} connection @param {number} now @param {boolean} streamClosed @returns {{connection: Connection, next: 'wake' | 'poll' | 'none'}} */
export function onTick(connection, now, streamClosed) {
  const late = now - connection.tickedAt;
  const next = late > ASLEEP_MS ? 'wake' : connection.failing || streamClosed ? 'poll' : 'none';
  return { connection: { ...connection, tickedAt: now }, next };
}

/* The newest snapshot */

/** @type {any} */
let newest = null;
/** @type {Set<(snapshot: any) => void>} */
const listeners = new Set();

/** Pass a snapshot on to all who listen. @param {any} snapshot @returns {void} */
export function publish(snapshot) {
  newest = snapshot;
  for (const listener of listeners) listener(snapshot);
}

/** Return the newest snapshot, null before the first one. @returns {any} */
export const newestSnapshot = () => newest;

/** Call a function with the newest snapshot, if there is one, and with each that follows. @param {(snapshot: any) => void} listener @returns {void} */
export function onSnapshot(listener) {
  listeners.add(listener);
  if (newest) listener(newest);
}

/* The stream */

const POLL_MS = 10000;
const GRACE_MS = 2500;
const TICK_MS = 2000;

/** Load the page again if the table runs with other files than the page: it was updated, and files of two releases never mix. */
const reloadIfUpdated = async () => (await isServed(import.meta.url)) || location.reload();

/**
 * Follow the table. `onSnapshot` gets each new snapshot; `onLost` true or false when the table stops or starts
 * answering; `onSlept` true when the page wakes up, and false when it has heard from the table since: between the two
 * what it shows may be old. `query` is put behind the addresses that are asked, for example `?lang=de`.
 * @param {{onSnapshot: (snapshot: any) => void, onLost: (lost: boolean) => void, onSlept: (slept: boolean) => void, query?: string}} listener @returns {void}
 */
export function followTable({ onSnapshot, onLost, onSlept, query = '' }) {
  let connection = newConnection(Date.now());
  let graceTimer;

  const answered = () => {
    clearTimeout(graceTimer);
    graceTimer = undefined;
    onLost(false);
    onSlept(false);
  };
  const failed = () => {
    connection = onFailed(connection);
    graceTimer ??= setTimeout(() => onLost(true), GRACE_MS);
  };
  const stream = shareStream(`/api/live${query}`, {
    onData: (data) => {
      const snapshot = JSON.parse(data);
      if (hasRestarted(connection, stampOf(snapshot))) void reloadIfUpdated();
      connection = onStreamed(connection, stampOf(snapshot));
      onSnapshot(snapshot);
      answered();
    },
    onFailed: failed,
    onOpened: () => void poll(),
  });
  const openStream = () => {
    stream.lead();
    connection = onStreamOpened(connection);
  };
  const poll = async () => {
    try {
      const snapshot = await getJson(`/api/snapshot${query}`);
      if (hasRestarted(connection, stampOf(snapshot))) void reloadIfUpdated();
      const polled = onPolled(connection, stampOf(snapshot), stream.isClosed());
      connection = polled.connection;
      if (polled.show) onSnapshot(snapshot);
      answered();
      if (polled.reopen) openStream();
    } catch {
      failed();
    }
  };
  const wake = () => {
    onSlept(true);
    openStream();
    poll();
  };
  const tick = () => {
    const ticked = onTick(connection, Date.now(), stream.isClosed());
    connection = ticked.connection;
    if (ticked.next === 'wake') wake();
    else if (ticked.next === 'poll') poll();
  };

  openStream();
  setInterval(poll, POLL_MS);
  setInterval(tick, TICK_MS);
  addEventListener('online', poll);
  addEventListener('offline', failed);
  addEventListener('pageshow', (event) => event.persisted && wake());
  document.addEventListener('resume', wake);
  document.addEventListener('visibilitychange', () => document.hidden || wake());
}
