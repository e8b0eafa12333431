// A sheet that comes up over a page: something to look at, a second thought, what is asked while it is open.

import { read } from './api.js';
import { byId, h, toast } from './dom.js';

const sheet = byId('sheet');

/** Draws what an open sheet shows anew, for a sheet whose content may change under it; null for one that stands. */
let again = null;

export function close() {
  again = null; // at once: the sheet's own event comes later, and an answer on its way would open it again
  sheet.close();
}
sheet.addEventListener('click', (event) => event.target === sheet && close());

let drawnAt = null;

sheet.addEventListener('close', () => (again = null));

/** The table has changed: a sheet that may show something else by now asks anew. */
export function freshen(number) {
  if (again && number !== drawnAt) again();
  drawnAt = number;
}

export function open(...children) {
  again = null;
  fill(...children);
}

/** Put other content on the sheet without ending what it asks. */
export function fill(...children) {
  sheet.replaceChildren(h('div', { class: 'inside' }, ...children));
  if (!sheet.open) sheet.showModal();
}

/** Call something whenever the sheet goes away. */
export const whenClosed = (act) => sheet.addEventListener('close', act);

export const isOpen = () => sheet.open;

export const title = (text) => h('h2', { id: 'sheet-title' }, text);
export const cancel = (text) => h('button', { type: 'button', class: 'quiet', onclick: close }, text);

/** Ask a second time before something that cannot be taken lightly. */
export function confirm(sentence, detail, yes, act) {
  const sure = async () => {
    close();
    await act();
  };
  open(
    title(sentence),
    detail && h('p', {}, detail),
    h('div', { class: 'pair' }, cancel('No, go back'), h('button', { type: 'button', class: 'grave', id: 'sure', onclick: sure }, yes)),
  );
}

/** A sheet whose content is asked of the desk, now and whenever the table changes while it is open. */
export function live(address, draw) {
  const look = async () => {
    try {
      const found = await read(address);
      if (again !== look) return;
      draw(found);
    } catch (error) {
      if (again === look) toast(error.sentence ?? 'The table did not answer. Try again in a moment.', error.rule);
    }
  };
  again = look;
  look();
}
