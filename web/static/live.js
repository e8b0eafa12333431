// The live line: every new snapshot as it comes, and the word when the line is down.

import { read } from './ask.js';

const PROBE_MS = 10000;
const PATIENCE_MS = 2500;

/**
 * Call show(snapshot) for each new snapshot, and lost(true or false) when the table stops or starts answering.
 *
 * The browser reconnects an event stream by itself, but it does not notice a network that silently went away, and it
 * gives up when it is refused: so the table is also asked now and then.
 */
export function follow(show, lost) {
  let source;
  let number = null;
  let patience = null;

  const up = () => {
    clearTimeout(patience);
    patience = null;
    lost(false);
  };
  const down = () => {
    patience ??= setTimeout(() => lost(true), PATIENCE_MS);
  };
  const take = (snapshot) => {
    up();
    number = snapshot.number;
    show(snapshot);
  };
  const listen = () => {
    source?.close();
    source = new EventSource('/api/live');
    source.onopen = up;
    source.onmessage = (event) => take(JSON.parse(event.data));
    source.onerror = down;
  };
  const probe = async () => {
    try {
      const snapshot = await read('/api/snapshot');
      up();
      if (snapshot.number !== number) take(snapshot);
      if (source.readyState === EventSource.CLOSED) listen();
    } catch {
      down();
    }
  };

  listen();
  setInterval(probe, PROBE_MS);
  setInterval(() => (patience !== null || source.readyState === EventSource.CLOSED) && probe(), 2000);
  addEventListener('online', probe);
  addEventListener('offline', down);
  addEventListener('pageshow', (event) => event.persisted && listen());
  addEventListener('pagehide', () => source.close());
  document.addEventListener('visibilitychange', () => document.hidden || probe());
}
