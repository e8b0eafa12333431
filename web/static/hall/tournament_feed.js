// A page of a tournament as the hall makes it, made again with each change; what people opened, chose and typed stays.

import { getJson, getText } from '../api.js';
import { locale } from '../say.js';

const POLL_MS = 2000;

/** Return the part of the page that follows the tournament. @returns {HTMLElement} */
export const main = () => /** @type {HTMLElement} */ (document.querySelector('main'));

/** Return the address of the tournament in the API. @returns {string} */
export const tournamentApi = () => `/api/hall/tournaments/${main().dataset.number}`;

let onMade = () => {};

/** Make the page again. @returns {Promise<void>} */
export async function refresh() {
  const text = await getText(location.href).catch(() => '');
  const fresh = text && new DOMParser().parseFromString(text, 'text/html').querySelector('main');
  if (!fresh) return;
  const restore = kept();
  main().replaceWith(document.adoptNode(fresh));
  restore();
  made();
}

/** Return a function that gives the page back what people opened, chose and typed in it. */
function kept() {
  const opened = new Map(all('details').map((each) => [each.dataset.key, each.open]));
  const chosen = new Map(all('input:checked').filter((each) => !each.defaultChecked).map((each) => [each.name, each.value]));
  const typed = new Map(typedIn().map((each) => [each.form.id, each.value]));
  const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset?.key;
  return () => {
    for (const each of all('details')) each.open = opened.get(each.dataset.key) ?? each.open;
    for (const each of choices()) if (chosen.has(each.name)) each.checked = chosen.get(each.name) === each.value;
    for (const each of typedIn()) each.value = typed.get(each.form.id) ?? each.value;
    if (focused) /** @type {HTMLElement | null} */ (main().querySelector(`[data-key="${CSS.escape(focused)}"]`))?.focus();
  };
}

/** @param {string} selector @returns {any[]} */
const all = (selector) => [...main().querySelectorAll(selector)];
const choices = () => /** @type {HTMLInputElement[]} */ ([...main().querySelectorAll('input[type="radio"], input[type="checkbox"]')]);
const typedIn = () => /** @type {any[]} */ ([...main().querySelectorAll('form input:not([type="radio"]):not([type="checkbox"])')]);

/** Write days and times as people here write them, and what else the page wants. */
function made() {
  for (const time of document.querySelectorAll('time')) {
    if (!time.dateTime) continue;
    const when = new Date(time.dateTime.length > 10 ? time.dateTime : `${time.dateTime}T12:00`);
    const words = time.dateTime.length > 10 ? { hour: '2-digit', minute: '2-digit' } : { weekday: 'short', day: 'numeric', month: 'numeric' };
    time.textContent = when.toLocaleString(locale, /** @type {Intl.DateTimeFormatOptions} */ (words));
  }
  onMade();
}

async function poll() {
  const found = document.hidden ? null : await getJson(`${tournamentApi()}/version`).catch(() => null);
  if (found && String(found.version) !== main().dataset.version) await refresh();
  setTimeout(poll, POLL_MS);
}

/** Follow the tournament. @param {() => void} listener called each time the page was made @returns {void} */
export function followTournament(listener = () => {}) {
  onMade = listener;
  made();
  void poll();
}
