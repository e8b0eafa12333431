// Pages of a screen across the room: they turn by themselves, and by dots and keys.

import { html, render } from '../html.js';
import { say } from '../say.js';
import { pageAfterKey } from './tables_view.js';

const TURN_MS = 12000;
const LOOK_MS = 500;

function Pager({ count, page, isTurning, turnOn, goTo }) {
  if (count < 2) return null;
  return html`<button type="button" class="quiet" id="turning" aria-pressed=${String(!isTurning)} aria-label=${isTurning ? say('Stay on this page') : say('Turn the pages')} onClick=${() => turnOn(!isTurning)}>
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${isTurning ? 'M8 5v14M16 5v14' : 'M8 5v14l11-7z'} fill=${isTurning ? 'none' : 'currentColor'} stroke="currentColor" stroke-width="3" /></svg></button>
    ${Array.from({ length: count }, (_, place) => html`<button type="button" class="quiet dot" key=${place} aria-label=${say('Page {page} of {count}', { page: place + 1, count })} aria-current=${place === page ? 'page' : null} onClick=${() => goTo(place)} />`)}`;
}

/** The pages of a screen. `show` draws the page that `pageOf` gives it. */
export class TurningPages {
  #show;
  #count = 1;
  #page = 0;
  #isTurning = true;
  #turnedAt = Date.now();

  /** Begin to turn. @param {() => void} show */
  constructor(show) {
    this.#show = show;
    document.addEventListener('keydown', (event) => this.#onKey(event));
    setInterval(() => this.#turn(), LOOK_MS);
  }

  /** Return which of so many pages is to be shown, and draw the pager. @param {number} count @param {HTMLElement} pager @returns {number} */
  pageOf(count, pager) {
    this.#count = count;
    this.#page = Math.min(this.#page, count - 1);
    const turnOn = (turning) => this.#turnOn(turning);
    const goTo = (page) => this.#goTo(page);
    render(html`<${Pager} count=${count} page=${this.#page} isTurning=${this.#isTurning} turnOn=${turnOn} goTo=${goTo} />`, pager);
    return this.#page;
  }

  #goTo(page) {
    this.#page = page;
    this.#isTurning = false;
    this.#show();
  }

  #turnOn(turning) {
    this.#isTurning = turning;
    this.#turnedAt = Date.now();
    this.#show();
  }

  #turn() {
    if (!this.#isTurning || document.hidden || Date.now() - this.#turnedAt < TURN_MS) return;
    this.#turnedAt = Date.now();
    if (this.#count > 1) this.#page = (this.#page + 1) % this.#count;
    this.#show();
  }

  #onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const wanted = this.#count > 1 ? pageAfterKey(event.key, this.#page, this.#count) : null;
    if (wanted === null) return;
    event.preventDefault();
    this.#goTo(wanted);
  }
}
