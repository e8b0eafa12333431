// The live line: every new snapshot as it comes, the word when the line is down, and when the page has slept.

import { read } from './api.js';

const PROBE_MS = 10000;
const PATIENCE_MS = 2500;
const TICK_MS = 2000;
const SLEPT_MS = 7000;

/**
 * Call show(snapshot) for each new snapshot, lost(true or false) when the table stops or starts answering, and
 * slept(true) when the page wakes from a sleep in which it heard nothing: until slept(false) what it shows may be old.
 *
 * The browser reconnects an event stream by itself, but it does not notice a network that silently went away, and it
 * gives up when it is refused: so the table is also asked now and then, and a line that brings nothing is opened anew.
 */
export function follow(show, lost, slept) {
  let source;
  let newest = null;
  let patience = null;
  let unheard = 0;
  let ticked = Date.now();

  const up = () => {
    clearTimeout(patience);
    patience = null;
    lost(false);
    slept(false);
  };
  const down = () => {
    patience ??= setTimeout(() => lost(true), PATIENCE_MS);
  };
  const take = (snapshot) => {
    newest = { number: snapshot.number, run: snapshot.extras.run };
    show(snapshot);
    up();
  };
  /** Whether nothing newer came meanwhile, on another way; numbers count within a run of Vander. */
  const isNew = ({ number, extras }) => newest === null || extras.run !== newest.run || number > newest.number;
  const listen = () => {
    source?.close();
    source = new EventSource('/api/live');
    source.onmessage = (event) => {
      unheard = 0;
      take(JSON.parse(event.data));
    };
    source.onerror = down;
    unheard = 0;
  };
  const probe = async () => {
    try {
      const snapshot = await read('/api/snapshot');
      unheard = isNew(snapshot) ? unheard + 1 : 0;
      if (unheard) take(snapshot);
      else up();
      if (unheard > 1 || source.readyState === EventSource.CLOSED) listen();
    } catch {
      down();
    }
  };
  const wake = () => {
    slept(true);
    listen();
    probe();
  };
  const tick = () => {
    const late = Date.now() - ticked;
    ticked = Date.now();
    if (late > SLEPT_MS) wake();
    else if (patience !== null || source.readyState === EventSource.CLOSED) probe();
  };

  listen();
  setInterval(probe, PROBE_MS);
  setInterval(tick, TICK_MS);
  addEventListener('online', probe);
  addEventListener('offline', down);
  addEventListener('pageshow', (event) => event.persisted && wake());
  addEventListener('pagehide', () => source.close());
  document.addEventListener('resume', wake);
  document.addEventListener('visibilitychange', () => document.hidden || wake());
}
