// The action bar: throws as sentences, the main action at its place, the others next to it.

import { closeButton, closeDialog, dialogTitle, openDialog } from './dialog.js';
import { h } from './dom.js';
import { say, sayParts } from './say.js';
import { barView } from './table_view.js';

const LONG_TITLE = 24;

/** Draw the action bar. @param {any} view @param {{tap: (offer: any) => void, enterThrow: () => void, bringToFront: (seat: number) => void}} act @returns {any} */
export function drawOffers(view, act) {
  const { throws, awaited, main, others, more, names, bySeat, waitsFor, still, pointToRows, manualEntry, onBoard } = barView(view);
  const tap = (offer) => drawTap(offer, act.tap, bySeat && names[offer.player]);
  return [
    h('div', { class: 'by-hand' },
      waitsFor && h('p', { class: 'none' }, waitsFor),
      throws.length > 0 && drawThrows(throws, awaited),
      still.length > 0 && drawStill(still, act.bringToFront),
      onBoard && h('p', { class: 'none on-board' }, say('Tap what glows on the board.')),
      !throws.length && pointToRows && h('p', { class: 'none more' }, say('Tap an underlined row to do something with it.'))),
    h('div', { class: 'taps' },
      main && tap(main),
      others.map(tap),
      more.length > 0 && h('button', { type: 'button', class: 'quiet more-offers', 'data-key': 'more-offers', onclick: () => openMore(more, names, bySeat, act.tap) }, say('More ({count})', { count: more.length })),
      manualEntry === 'quiet' && drawManualEntry(manualEntry, act.enterThrow)),
  ];
}

/** Draw the button by which people say what their dice show: among the others, or while the camera sees nothing where a wrong die is named. @param {'quiet' | 'main'} manner @param {() => void} enterThrow @returns {HTMLElement} */
export const drawManualEntry = (manner, enterThrow) => h('button', { type: 'button', class: manner, id: 'manual-entry', 'data-key': 'manual-entry', onclick: enterThrow }, say('Give the dice by hand'));

/** Name the next one for whom everybody waits, and how many there are besides; a tap shows that sheet, with its buttons. */
const drawStill = ([{ seat, name }, ...others], bringToFront) => {
  const next = h('button', { type: 'button', class: 'quiet', 'data-key': `still-${seat}`, 'data-seat': seat, 'aria-label': say('Show {name}’s sheet', { name }), onclick: () => bringToFront(seat) }, name);
  return h('p', { class: 'still' }, others.length ? sayParts('Still to act: {next} and {count} more', { next, count: others.length }) : sayParts('Still to act: {next}', { next }));
};

const drawThrows = (throws, awaited) => h('div', { class: 'throws' },
  h('ul', {}, throws.map(({ title }) => h('li', { title }, title))),
  awaited.length > 0 && h('p', { class: 'awaited' }, awaited.map(({ title, count }) => h('span', {}, `${count} × ${title}`))));

/** Draw an offer's button; where several act at once it says whose it is. */
function drawTap(offer, tap, name) {
  const classes = [offer.grave ? 'grave' : 'main', offer.title.length > LONG_TITLE && 'long'].filter(Boolean).join(' ');
  return h('button', { type: 'button', class: classes, title: offer.title, 'data-key': offer.action, 'data-action': offer.action, onclick: () => tap(offer) },
    h('span', {}, name && h('small', {}, name), offer.title));
}

/** List the offers that have no room in the bar. */
function openMore(offers, names, bySeat, tap) {
  const choose = (offer) => {
    closeDialog();
    tap(offer);
  };
  openDialog(dialogTitle(say('What else may be done')),
    h('div', { class: 'option-buttons many' }, offers.map((offer) =>
      h('button', { type: 'button', class: `${offer.grave ? 'grave' : 'main'} option-button`, 'data-action': offer.action, onclick: () => choose(offer) }, bySeat ? say('{name}: {offer}', { name: names[offer.player], offer: offer.title }) : offer.title))),
    closeButton(say('Close')));
}
