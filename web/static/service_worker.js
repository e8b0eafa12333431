// The worker of the installed page: while the table does not answer, pages are answered by one page that says so.
// The server puts SHELL, the files of that page, and VERSION, which changes with any of them, before this script.
//
// Everything comes from the network as long as there is one, so that no old script ever runs with a new page. The kept
// files serve the clients that were given the kept page, and nobody else.

/* global SHELL, VERSION */

const worker = /** @type {any} */ (self);
const KEPT = `vander-${VERSION}`;
const AWAY = '/away';
/** Clients that show the kept page. */
const away = new Set();

/** The files have their version in their address, so that those which the browser has need not be loaded again. */
const keepShell = async () => (await caches.open(KEPT)).addAll(SHELL.map((url) => new Request(url, { cache: url === AWAY ? 'reload' : 'default' })));

async function dropOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

async function answerPage(event) {
  try {
    return await fetch(event.request);
  } catch (error) {
    const kept = await caches.match(AWAY);
    if (!kept) throw error;
    away.add(event.resultingClientId);
    return kept;
  }
}

async function answerFile(event) {
  try {
    return await fetch(event.request);
  } catch (error) {
    const kept = await caches.match(event.request, { ignoreSearch: true });
    if (!kept) throw error;
    return kept;
  }
}

worker.addEventListener('install', (event) => {
  worker.skipWaiting();
  event.waitUntil(keepShell());
});
worker.addEventListener('activate', (event) => event.waitUntil(dropOthers()));
worker.addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url);
  if (event.request.mode === 'navigate') event.respondWith(answerPage(event));
  else if (away.has(event.clientId) && pathname.startsWith('/static/')) event.respondWith(answerFile(event));
});
