// Whose turn it is, what is to be done, and the action bar; before a game the welcome, after it the winner.

import { closeButton, closeDialog, dialogTitle, openDialog } from './dialog.js';
import { h } from './dom.js';
import { say } from './say.js';
import { barView, standings, turnTitle, winnerTitle } from './table_view.js';

const LONG_TITLE = 10;
const LONG_FACT = 28;
const FACT_NAMES = { doubts: say('Doubts'), waits: say('Waits') };
const MOTION = { moving: say('The dice are moving'), 'a hand is in it': say('A hand is in the tray') };

/** Draw the turn: what is to be done, else whose turn it is. @param {any} view @param {() => void} setUp @param {() => void} join shows the code for phones @returns {any} */
export function drawTurn({ state, prompt, gained, isOfHall }, setUp, join) {
  if (!state) return drawWelcome(setUp, isOfHall && join);
  return [
    h('h1', {}, prompt || turnTitle(state)),
    gained > 0 && h('p', { class: 'gained' }, h('strong', { 'aria-hidden': 'true' }, `+${gained}`), h('span', { class: 'for-readers' }, say('{points} this turn', { points: gained }))),
  ];
}

/** Draw what else is to be known. @param {Record<string, string>} facts @returns {any} */
export function drawFacts(facts) {
  const stated = Object.entries(facts);
  return stated.length > 0 && h('dl', { class: 'facts' }, stated.map(([name, value]) =>
    h('div', { class: value.length > LONG_FACT && 'long' }, h('dt', {}, FACT_NAMES[name]), h('dd', {}, value))));
}

function drawWelcome(setUp, join) {
  return h('div', { class: 'welcome' },
    h('h1', {}, say('Who plays?')),
    h('p', { class: 'prompt' }, say('Set up a game, then throw the dice. The referee reads them.')),
    h('button', { type: 'button', class: 'main', id: 'first-game', onclick: setUp }, say('Set up a game')),
    join && h('button', { type: 'button', class: 'quiet', id: 'join-by-phone', onclick: join }, say('Join in by phone')));
}

/** Return true if the game's own words say more than the title: of one player, or where nobody won. */
const tellsMore = ({ players, winner }) => players.length === 1 || !winner.length;

/** Draw the winner and the standing. @param {any} view @param {() => void} again begins the same game once more @returns {HTMLElement} */
export function drawWinner({ state, lookBack }, again) {
  return h('div', { class: 'winner' },
    h('h1', { class: winnerTitle(state).length > LONG_TITLE && 'long' }, winnerTitle(state)),
    tellsMore(state) && h('p', { class: 'prompt' }, state.tell),
    h('ol', { class: 'standing' }, standings(state).map(({ seat, name, score }) =>
      h('li', { class: state.winner.includes(seat) && 'won' }, h('span', { title: name }, name), h('strong', {}, String(score))))),
    h('button', { type: 'button', class: 'main', id: 'again', onclick: again }, say('Play again')),
    lookBack && h('a', { class: 'button quiet', id: 'look-back', href: lookBack }, say('The result of this game')));
}

/** Draw what moves on the table, nothing at rest. @param {string} motion @returns {any} */
export const drawMotion = (motion) => MOTION[motion] ?? [];

/* The action bar: throws as sentences, what most people do next, the others beside it, and small what ruins a turn */

const LONG_OFFER = 24;

/** Draw the action bar. @param {any} view @param {{tap: (offer: any) => void, enterThrow: () => void}} act @returns {any} */
export function drawOffers(view, act) {
  const { throws, next, beside, more, grave, names, bySeat, waitsFor, pointToRows, manualEntry, onBoard } = barView(view);
  const tap = (offer) => drawTap(offer, offer === next, act.tap, bySeat && names[offer.player]);
  return [
    h('div', { class: 'by-hand' },
      waitsFor && h('p', { class: 'none' }, waitsFor),
      throws.length > 0 && drawThrows(throws),
      onBoard && h('p', { class: 'none on-board' }, say('Tap what glows on the board.')),
      !throws.length && pointToRows && h('p', { class: 'none more' }, say('Tap an underlined row to do something with it.'))),
    h('div', { class: 'taps' },
      next && h('div', { class: 'next' }, tap(next)),
      (beside.length > 0 || more.length > 0 || manualEntry === 'quiet') && h('div', { class: 'beside' },
        beside.map(tap),
        more.length > 0 && h('button', { type: 'button', class: 'quiet more-offers', 'data-key': 'more-offers', onclick: () => openMore(say('What else may be done'), more, names, bySeat, act.tap) }, say('More ({count})', { count: more.length })),
        manualEntry === 'quiet' && drawManualEntry(manualEntry, act.enterThrow)),
      grave.length > 0 && h('div', { class: 'ruin' }, grave.length > 1
        ? h('button', { type: 'button', class: 'grave', 'data-key': 'ruin', onclick: () => openMore(say('What ends the turn for nothing'), grave, names, bySeat, act.tap) }, say('Turn lost?'))
        : tap(grave[0]))),
  ];
}

/** Draw the button by which people say what their dice show: among the others, or while the camera sees nothing where a wrong die is named. @param {'quiet' | 'main'} manner @param {() => void} enterThrow @returns {HTMLElement} */
export const drawManualEntry = (manner, enterThrow) => h('button', { type: 'button', class: manner, id: 'manual-entry', 'data-key': 'manual-entry', onclick: enterThrow }, say('Give the dice by hand'));

const drawThrows = (throws) => h('div', { class: 'throws' }, h('ul', {}, throws.map(({ title }) => h('li', { title }, title))));

/** Draw an offer's button; where several act at once it says whose it is. */
function drawTap(offer, isNext, tap, name) {
  const classes = [offer.grave ? 'grave' : isNext ? 'main' : 'quiet', offer.title.length > LONG_OFFER && 'long'].filter(Boolean).join(' ');
  return h('button', { type: 'button', class: classes, title: offer.title, 'data-key': offer.action, 'data-action': offer.action, onclick: () => tap(offer) },
    h('span', {}, name && h('small', {}, name), offer.title));
}

/** List offers that have no room in the bar, under a title. */
function openMore(title, offers, names, bySeat, tap) {
  const choose = (offer) => {
    closeDialog();
    tap(offer);
  };
  openDialog(dialogTitle(title),
    h('div', { class: 'option-buttons many' }, offers.map((offer) =>
      h('button', { type: 'button', class: `${offer.grave ? 'grave' : 'main'} option-button`, 'data-action': offer.action, onclick: () => choose(offer) }, bySeat ? say('{name}: {offer}', { name: names[offer.player], offer: offer.title }) : offer.title))),
    closeButton(say('Close')));
}
