// The table's event stream: every new snapshot as it comes, and whether the table answers at all.

import { getJson, isServed } from './api.js';
import { hasRestarted, newConnection, onFailed, onPolled, onStreamed, onStreamOpened, onTick, stampOf } from './connection.js';

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
  let stream;
  let graceTimer;

  const isClosed = () => stream.readyState === EventSource.CLOSED;

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
  const openStream = () => {
    stream?.close();
    stream = new EventSource(`/api/live${query}`);
    stream.onmessage = ({ data }) => {
      const snapshot = JSON.parse(data);
      if (hasRestarted(connection, stampOf(snapshot))) void reloadIfUpdated();
      connection = onStreamed(connection, stampOf(snapshot));
      onSnapshot(snapshot);
      answered();
    };
    stream.onerror = failed;
    connection = onStreamOpened(connection);
  };
  const poll = async () => {
    try {
      const snapshot = await getJson(`/api/snapshot${query}`);
      if (hasRestarted(connection, stampOf(snapshot))) void reloadIfUpdated();
      const polled = onPolled(connection, stampOf(snapshot), isClosed());
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
    const ticked = onTick(connection, Date.now(), isClosed());
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
  addEventListener('pagehide', () => stream.close());
  document.addEventListener('resume', wake);
  document.addEventListener('visibilitychange', () => document.hidden || wake());
}
