// The tables of a hall as they change: by live events, and by asking where there are none.

import { getJson, isServed } from '../api.js';
import { shareStream } from '../shared_stream.js';

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

  const heard = (change) => {
    clearTimeout(graceTimer);
    graceTimer = undefined;
    heardAt = Date.now();
    known = merged(known, change);
    onTables(known, new Set(change.tables.map(({ number }) => number)));
    onLost(false);
  };
  const failed = () => (graceTimer ??= setTimeout(() => onLost(true), GRACE_MS));
  const ask = () => getJson('/api/hall/shown').then(heard, failed);
  const stream = shareStream('/api/hall/live', {
    onData: (data) => heard(JSON.parse(data)),
    onFailed: () => {
      failed();
      // Refused, as where one network has too many streams: do not wait for the next poll, which tries the stream again.
      if (stream.isClosed()) ask();
    },
    onOpened: ask,
  });
  const poll = async () => {
    if (stream.isOpen() && Date.now() - heardAt < STALE_MS) return;
    try {
      heard(await getJson('/api/hall/shown'));
      if (!(await isServed(import.meta.url))) location.reload();
      else if (stream.isClosed()) stream.lead();
    } catch {
      failed();
    }
  };
  const first = document.getElementById('first-tables')?.textContent;
  if (first) heard(JSON.parse(first));
  stream.lead();
  setInterval(poll, POLL_MS);
  document.addEventListener('visibilitychange', () => document.hidden || stream.lead());
  addEventListener('pageshow', (event) => event.persisted && stream.lead());
}
