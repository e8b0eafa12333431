// The tables of a hall as they change: by live events, and by asking where there are none.

import { getJson, isServed } from '../api.js';

const POLL_MS = 5000;
const GRACE_MS = 4000;
/** Heartbeats come every ten seconds: a stream that is silent for longer is dead, though the browser may not know. */
const STALE_MS = 25000;

/**
 * @typedef {{seat: number, name: string, score: number | null, acts: boolean, won: boolean}} Seat
 * @typedef {{number: number, name: string, title: string, seats: Seat[], ruling: string, is_over: boolean, refused: string}} Game
 * @typedef {{number: number, name: string, stage: 'going' | 'over' | 'quiet', troubles: string[], reason: string, game: Game | null}} Table
 */

/** Return the tables in order, with those of a change in the place of what they were. */
function merged(known, { there, tables }) {
  const changed = new Map(tables.map((table) => [table.number, table]));
  const found = there.map((number) => changed.get(number) ?? known.get(number)).filter((table) => table !== undefined);
  return new Map(found.map((table) => [table.number, table]));
}

/**
 * Follow the hall, from what the page itself brought on. `onTables` gets all tables and the numbers of those that changed, `onLost` true or false when the hall stops or starts
 * answering. @param {{onTables: (tables: Map<number, Table>, changed: Set<number>) => void, onLost: (lost: boolean) => void}} listener @returns {void}
 */
export function followHall({ onTables, onLost }) {
  /** @type {Map<number, Table>} */
  let known = new Map();
  let graceTimer;
  let heardAt = Date.now();
  /** @type {EventSource} */
  let stream;

  const heard = (change) => {
    clearTimeout(graceTimer);
    graceTimer = undefined;
    heardAt = Date.now();
    known = merged(known, change);
    onTables(known, new Set(change.tables.map(({ number }) => number)));
    onLost(false);
  };
  const failed = () => (graceTimer ??= setTimeout(() => onLost(true), GRACE_MS));
  const open = () => {
    stream?.close();
    stream = new EventSource('/api/hall/live');
    stream.onmessage = ({ data }) => heard(JSON.parse(data));
    stream.onerror = () => {
      failed();
      // Refused, as where one network has too many streams: do not wait for the next poll, which tries the stream again.
      if (stream.readyState === EventSource.CLOSED) getJson('/api/hall/shown').then(heard, failed);
    };
  };
  const poll = async () => {
    const isOpen = stream.readyState === EventSource.OPEN;
    if (isOpen && Date.now() - heardAt < STALE_MS) return;
    try {
      heard(await getJson('/api/hall/shown'));
      if (!(await isServed(import.meta.url))) location.reload();
      else if (stream.readyState === EventSource.CLOSED) open();
    } catch {
      failed();
    }
  };
  const first = document.getElementById('first-tables')?.textContent;
  if (first) heard(JSON.parse(first));
  open();
  setInterval(poll, POLL_MS);
  document.addEventListener('visibilitychange', () => document.hidden || open());
  addEventListener('pagehide', () => stream.close());
  addEventListener('pageshow', (event) => event.persisted && open());
}
