// One event stream for all pages of a browser that follow the same: the page that leads holds it and passes on what comes.
//
// A browser opens six connections to a host over plain HTTP, and a stream holds one for good: with a stream a page, the seventh page
// never came. Over a `BroadcastChannel` and not by a shared worker, which browsers of tablets lack.

/** Milliseconds. A leader says so often that it leads, and is taken for gone when it was silent for longer. */
const SAY_MS = 2000;
const SILENT_MS = 7000;

/** Milliseconds. Two pages that begin to lead within so short a time do not know of each other. */
const AT_ONCE_MS = 1000;

/** @typedef {{id: string, isHidden: boolean}} Claim a page that leads, or wants to */

/**
 * Return true if a page that leads goes on against another one's claim: one that is seen leads one that is hidden, else the page
 * that begins leads, and of two that begin at once the one with the larger id.
 * @param {Claim} mine @param {Claim} other @param {number} ledMs for how long this page leads @returns {boolean}
 */
export function staysLeader(mine, other, ledMs) {
  if (mine.isHidden !== other.isHidden) return other.isHidden;
  return ledMs < AT_ONCE_MS && mine.id > other.id;
}

/**
 * Share the event stream of an address with the other pages of this browser. `onData` gets what each event brings, whichever page holds
 * the stream; `onFailed` is called when it breaks or is refused, and `onOpened` when another page has opened it, which may have missed
 * something before.
 * `lead` opens it here and now, as for a page that is opened or seen again. `isClosed` is true where nothing will come by itself.
 * @param {string} address @param {{onData: (data: string) => void, onFailed: () => void, onOpened: () => void}} listener
 */
export function shareStream(address, { onData, onFailed, onOpened }) {
  const id = Math.random().toString(36).slice(2);
  /** @type {EventSource | null} */
  let stream = null;
  /** @type {BroadcastChannel | null} */
  let channel = null;
  let ledFrom = 0;
  let heardAt = 0;

  const claim = () => ({ id, isHidden: document.hidden });
  const sayLeads = () => channel?.postMessage({ claim: claim() });
  const letGo = () => {
    stream?.close();
    stream = null;
  };

  const lead = () => {
    letGo();
    if (!channel) {
      channel = new BroadcastChannel(`vander:${address}`);
      channel.onmessage = ({ data }) => heard(data);
    }
    ledFrom = performance.now();
    sayLeads();
    stream = new EventSource(address);
    stream.onopen = () => channel?.postMessage({ opened: true });
    stream.onmessage = ({ data }) => {
      channel?.postMessage({ data });
      onData(data);
    };
    stream.onerror = () => {
      channel?.postMessage({ failed: true });
      onFailed();
    };
  };

  /** @param {{claim?: Claim, opened?: boolean, data?: string, failed?: boolean, left?: boolean}} said */
  const heard = (said) => {
    heardAt = performance.now();
    if (said.left) {
      if (!stream) lead();
    } else if (stream) {
      if (!said.claim) return;
      if (staysLeader(claim(), said.claim, performance.now() - ledFrom)) sayLeads();
      else letGo();
    } else if (said.claim) {
      if (said.claim.isHidden && !document.hidden) lead();
    } else if (said.opened) onOpened();
    else if (said.failed) onFailed();
    else if (said.data) onData(said.data);
  };

  setInterval(() => stream && sayLeads(), SAY_MS);
  document.addEventListener('visibilitychange', () => stream && document.hidden && sayLeads());
  addEventListener('pagehide', () => {
    if (stream) channel?.postMessage({ left: true });
    letGo();
    channel?.close();
    channel = null;
  });

  const state = () => stream?.readyState ?? (performance.now() - heardAt > SILENT_MS ? EventSource.CLOSED : EventSource.OPEN);
  return { lead, isOpen: () => state() === EventSource.OPEN, isClosed: () => state() === EventSource.CLOSED };
}
