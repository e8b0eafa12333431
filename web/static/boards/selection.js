// The dice that are selected to be put on a board: by tap, by key, or by dragging them there; and which offers belong to a place.

import { say } from '../say.js';

/* Which offers belong to a place, and what the selected dice may do there */

/**
 * @typedef {{kind: string, face: string, title?: string}} Die
 * @typedef {{action: string, player: number, verb: string, choice: string, title: string, by_tap: boolean, grave: boolean, places?: string[], dice?: Die[]}} Offer
 * @typedef {{key: string, taps: number}} Place
 * @typedef {{own: number, acting: number[], mayDecide: boolean}} Viewer
 */

/** So many offers stand in the small list at a place; where there are more, their dice are chosen. */
const MOST_LISTED = 4;
/** A word of so many letters fits a small square button. */
const LONGEST_WORD = 2;

/** Return the name of a place among all boards, as an offer's `places` have it. @param {number} seat @param {string} key @returns {string} */
export const placeName = (seat, key) => `${seat}:${key}`;

/** Return the dice of an offer; one of /api/offers has them in its action alone. @param {Offer} offer @returns {Die[]} */
export const diceOf = ({ dice, action }) => dice ?? action.split(' ').slice(2).filter((word) => !word.startsWith('=')).map((word) => {
  const [kind, face] = word.split(':');
  return { kind, face: face === '?' ? '' : face };
});

/** Return true if an offer is a throw, whose faces only chance can fill in. @param {Offer} offer @returns {boolean} */
export const isThrow = (offer) => !offer.by_tap && diceOf(offer).some(({ face }) => !face);

const nameOf = ({ kind, face }) => `${kind}:${face}`;

const tally = (dice) => {
  const counts = new Map();
  for (const die of dice) counts.set(nameOf(die), (counts.get(nameOf(die)) ?? 0) + 1);
  return counts;
};

/** Return true if all these dice are among others. @param {Die[]} few @param {Die[]} many @returns {boolean} */
export function areAmong(few, many) {
  const there = tally(many);
  return [...tally(few)].every(([name, count]) => (there.get(name) ?? 0) >= count);
}

/** Return true if dice are the same, whatever their order. @param {Die[]} some @param {Die[]} others @returns {boolean} */
export const areSame = (some, others) => some.length === others.length && areAmong(some, others);

const isAnybodys = (player, own) => !own || !player || player === own;

/** Return true if this tablet may put something on a board: anybody's, or with a seat of its own only its own and the middle. @param {number} seat @param {Viewer} viewer @returns {boolean} */
export const mayPutOn = (seat, { own, acting, mayDecide }) =>
  mayDecide && (!own || seat === own || (!seat && acting.includes(own)));

/** Return the listed offers of a place: those to tap, and those done by carrying dice there. @param {Offer[]} offers @param {number} seat @param {string} key @param {number} own @returns {{taps: Offer[], hands: Offer[]}} */
export function offersAt(offers, seat, key, own) {
  const name = placeName(seat, key);
  const tied = key ? offers.filter(({ places, player }) => places?.includes(name) && isAnybodys(player, own)) : [];
  return { taps: tied.filter((offer) => offer.by_tap), hands: tied.filter((offer) => !offer.by_tap && !isThrow(offer)) };
}

/** Said to screen readers alone: the sign of the place says it. */
export const CHOOSE = say('Choose');

/** @type {{state: '', hint: string, isInBar: boolean}} */
const NOTHING_HERE = { state: '', hint: '', isInBar: false };

/**
 * Return what a place shows: `open` for something to tap, `fits` where exactly the selected dice go, `unfit` where they
 * do not, `hand` where dice are carried to without a tap; '' for nothing. And the sentence that says so, and whether a button of the
 * action bar says it too.
 * @param {{seat: number, part: Place & {title: string}, offers: Offer[], viewer: Viewer, selected: Die[]}} view
 * @returns {{state: '' | 'open' | 'fits' | 'unfit' | 'hand', hint: string, isInBar: boolean}}
 */
export function placeView({ seat, part, offers, viewer, selected }) {
  if (!mayPutOn(seat, viewer)) return NOTHING_HERE;
  const { taps, hands } = offersAt(offers, seat, part.key, viewer.own);
  if (part.taps > 0) return { state: tapState(taps, part.taps, namedDice({ seat, part }, selected, taps)), hint: hintOf(taps, part.taps, CHOOSE), isInBar: part.taps === 1 && taps.some(({ usual }) => usual) };
  if (!hands.length || (selected.length && !hands.some((offer) => areAmong(selected, diceOf(offer))))) return NOTHING_HERE;
  return { state: 'hand', hint: hintOf(hands, hands.length, say('Put dice here')), isInBar: false };
}

/**
 * Return the selected dice as the offers of a place name them. Where they name all that is to lie there, these are the
 * dice that lie there already, without those picked up from it, and the others, as many of a face as an offer has.
 * @param {{seat: number, part: any}} place @param {(Die & {id?: string})[]} selected @param {Offer[]} offers @returns {Die[]}
 */
export function namedDice({ seat, part }, selected, offers) {
  if (!part.takes_all || !selected.length) return selected;
  const idOf = (place) => `board-${seat}-${part.key}-${place}`;
  const staying = part.dice.filter((_, place) => !selected.some(({ id }) => id === idOf(place)));
  const coming = selected.filter(({ id }) => !part.dice.some((_, place) => id === idOf(place)));
  const most = tally(diceToChoose(offers));
  const seen = new Map();
  return [...staying, ...coming].filter((die) => {
    const count = (seen.get(nameOf(die)) ?? 0) + 1;
    seen.set(nameOf(die), count);
    return !offers.length || count <= (most.get(nameOf(die)) ?? 0);
  });
}

function tapState(listed, count, selected) {
  if (!selected.length) return 'open';
  if (listed.some((offer) => areSame(selected, diceOf(offer)))) return 'fits';
  const isUnlisted = listed.length < count;
  return isUnlisted || listed.some((offer) => areAmong(selected, diceOf(offer))) ? 'open' : 'unfit';
}

const hintOf = (listed, count, words) => (count === 1 && listed.length === 1 ? listed[0].title : words);

/** Return the word that an offer's choice adds to its place, such as the 3 of `stall/3`; '' for none. @param {{choice: string}} offer @param {string} key @returns {string} */
export const addedWord = ({ choice }, key) => (choice.startsWith(`${key}/`) ? choice.slice(key.length + 1) : '');

const isShort = (word) => word.length > 0 && word.length <= LONGEST_WORD;

/** Return the offers of a place: those listed with all offers, or those with places that were asked for, where a snapshot only counts them. @param {Offer[]} offers @param {Offer[]} asked @returns {Offer[]} */
export function withAsked(offers, asked) {
  const known = new Set(offers.map(({ action }) => action));
  return asked.length ? [...offers, ...asked.filter(({ action }) => !known.has(action))] : offers;
}

/** Return what a tap on the place with this key does with the selected dice: `play` one offer, choose one of the short `words` that their choices add, show `rows`, let people choose `dice`, or show the whole `list`. @param {Offer[]} offers @param {Die[]} selected @param {string} key @returns {{does: 'nothing' | 'play' | 'words' | 'rows' | 'dice' | 'list', offers: Offer[]}} */
export function choiceAt(offers, selected, key = '') {
  const fitting = selected.length ? fittingOffers(offers, selected) : offers;
  if (!fitting.length) return { does: 'nothing', offers: [] };
  if (fitting.length === 1) return { does: 'play', offers: fitting };
  if (fitting.every((offer) => isShort(addedWord(offer, key)))) return { does: 'words', offers: fitting };
  if (fitting.length <= MOST_LISTED) return { does: 'rows', offers: fitting };
  return { does: areTold(fitting) ? 'dice' : 'list', offers: fitting };
}

/** Return true if dice tell offers apart: all have some, or one of a single verb has none. */
function areTold(offers) {
  const bare = offers.filter((offer) => !diceOf(offer).length).length;
  return bare === 0 || (bare === 1 && offers.every(({ verb }) => verb === offers[0].verb));
}

/** Return the offers with exactly the selected dice, else those with all of them among others. */
function fittingOffers(offers, selected) {
  const exact = offers.filter((offer) => areSame(selected, diceOf(offer)));
  return exact.length ? exact : offers.filter((offer) => areAmong(selected, diceOf(offer)));
}

/** Return the dice to choose among: of each kind and face as many as one offer takes at most. @param {Offer[]} offers @returns {Die[]} */
export function diceToChoose(offers) {
  const most = new Map();
  for (const offer of offers) {
    const here = new Map();
    for (const die of diceOf(offer)) here.set(nameOf(die), [...(here.get(nameOf(die)) ?? []), die]);
    for (const [name, dice] of here) if (dice.length > (most.get(name)?.length ?? 0)) most.set(name, dice);
  }
  return [...most.keys()].sort().flatMap((name) => most.get(name));
}

/** Return true if a die may be selected: an offer with a place takes it, or not all such offers are listed. @param {Die} die @param {Offer[]} offers @param {number} unlisted how many offers of places are not listed @param {Viewer} viewer @returns {boolean} */
export function isPickable(die, offers, unlisted, { own, mayDecide }) {
  if (!mayDecide || !die.face) return false;
  return unlisted > 0 || offers.some((offer) => offer.by_tap && offer.places?.length && isAnybodys(offer.player, own)
    && diceOf(offer).some((each) => nameOf(each) === nameOf(die)));
}

/** Return how many dice offers of the boards' places a snapshot only counts. @param {{seat: number, parts: any[]}[]} boards @param {Offer[]} offers @param {Viewer} viewer @returns {number} */
export function countUnlisted(boards, offers, viewer) {
  const places = boards.filter(({ seat }) => mayPutOn(seat, viewer)).flatMap(({ seat, parts }) => parts.flatMap((part) => [part, ...(part.places ?? [])]).map((part) => ({ seat, part })));
  return places.reduce((sum, { seat, part }) => sum + (part.taps ? Math.max(0, part.taps - offersAt(offers, seat, part.key, 0).taps.length) : 0), 0);
}

/* The selected dice */

const DRAG_PX = 8;
const HOLD_MS = 550;

/** @typedef {{id: string, kind: string, face: string, title?: string}} PickedDie `id` tells equal dice apart */

/** @type {PickedDie[]} */
let picked = [];
let pickedAt = '';
const listeners = new Set();
let putDown = (_place) => {};

/** Return the selected dice. @returns {PickedDie[]} */
export const selectedDice = () => picked;

/** Return true if the die with this id is selected. @param {string} id @returns {boolean} */
export const isSelected = (id) => picked.some((die) => die.id === id);

/** Select a die, or put it back. @param {PickedDie} die @returns {void} */
export const toggleDie = (die) => change(isSelected(die.id) ? picked.filter(({ id }) => id !== die.id) : [...picked, die]);

/** Select no die any more. @returns {void} */
export const clearSelection = () => picked.length && change([]);

/** Drop a selection that was made at another step of the game. @param {string} step @returns {void} */
export function keepSelectionFor(step) {
  if (step !== pickedAt) clearSelection();
  pickedAt = step;
}

/** Call a function whenever other dice are selected. @param {() => void} listener @returns {void} */
export const onSelection = (listener) => void listeners.add(listener);

/** Say what becomes of dice that are dragged to a place, which is named as in `data-place`. @param {(place: string) => void} put @returns {void} */
export const onPutDown = (put) => void (putDown = put);

function change(dice) {
  picked = dice;
  for (const listener of listeners) listener();
}

/* The panel of thrown dice, which somebody else draws */

/**
 * Make dice of a panel selectable: elements with `data-die`, the die's number. A tap selects, holding does what a tap
 * did before. `dieOf` gives the die of a number, null for one that cannot be selected.
 * @param {HTMLElement} panel @param {(number: number) => PickedDie | null} dieOf @returns {() => void} marks the dice again after they were drawn
 */
export function followPanel(panel, dieOf) {
  const elementOf = (event) => /** @type {HTMLElement | null} */ (event.target.closest?.('[data-die]'));
  const dieAt = (element) => (element ? dieOf(Number(element.dataset.die)) : null);
  let isHeld = false;
  panel.addEventListener('pointerdown', (event) => {
    const element = elementOf(event);
    const die = dieAt(element);
    isHeld = false;
    if (!element || !die) return;
    const holding = setTimeout(() => {
      isHeld = true;
      element.click();
    }, HOLD_MS);
    startDrag(event, die, element, () => {
      clearTimeout(holding);
      if (isHeld) swallowClick();
    });
  });
  panel.addEventListener('dragstart', (event) => dieAt(elementOf(event)) && event.preventDefault()); // of a picture by the browser
  panel.addEventListener('click', (event) => {
    const die = dieAt(elementOf(event));
    if (!die || isHeld) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    toggleDie(die);
  }, { capture: true });
  const mark = () => {
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (panel.querySelectorAll('[data-die]'))) {
      const die = dieAt(element);
      element.classList.toggle('pickable', Boolean(die));
      element.classList.toggle('selected', Boolean(die && isSelected(die.id)));
      if (die) element.setAttribute('aria-pressed', String(isSelected(die.id)));
      else element.removeAttribute('aria-pressed');
    }
  };
  onSelection(mark);
  return mark;
}

/* Dragging */

/** Begin to drag a die with its selected company, once the pointer has moved far enough. @param {PointerEvent} event @param {PickedDie} die @param {HTMLElement} element @param {() => void} onEnd runs when the pointer moved or was lifted @returns {void} */
export function startDrag(event, die, element, onEnd = () => {}) {
  if (event.button) return;
  const from = { x: event.clientX, y: event.clientY };
  /** @type {HTMLElement | null} */
  let ghost = null;
  const isFar = ({ clientX, clientY }) => Math.hypot(clientX - from.x, clientY - from.y) > DRAG_PX;
  const move = (moved) => {
    if (!ghost && !isFar(moved)) return;
    if (!ghost) {
      onEnd();
      if (!isSelected(die.id)) toggleDie(die);
      ghost = ghostOf(element);
    }
    ghost.style.transform = `translate(${moved.clientX}px, ${moved.clientY}px) translate(-50%, -70%)`;
    markOver(placeUnder(moved));
  };
  const end = (ended) => {
    onEnd();
    for (const [name, listener] of Object.entries(heard)) window.removeEventListener(name, listener);
    if (!ghost) return;
    ghost.remove();
    markOver(null);
    swallowClick();
    const place = ended.type === 'pointerup' ? placeUnder(ended)?.dataset.place : '';
    if (place) putDown(place);
  };
  const heard = { pointermove: move, pointerup: end, pointercancel: end };
  for (const [name, listener] of Object.entries(heard)) window.addEventListener(name, listener);
}

function ghostOf(element) {
  const ghost = /** @type {HTMLElement} */ (element.cloneNode(true));
  const { width } = element.getBoundingClientRect();
  for (const name of ['data-key', 'data-die', 'id']) ghost.removeAttribute(name);
  ghost.classList.add('drag-ghost');
  ghost.setAttribute('aria-hidden', 'true');
  ghost.style.width = `${width}px`;
  document.body.append(ghost);
  return ghost;
}

const placeUnder = ({ clientX, clientY }) => /** @type {HTMLElement | null} */ (document.elementsFromPoint(clientX, clientY).map((element) => element.closest('[data-place].legal')).find(Boolean) ?? null);

function markOver(place) {
  for (const element of document.querySelectorAll('[data-place].over')) element.classList.toggle('over', element === place);
  place?.classList.add('over');
}

/** The click that follows a drag means nothing. */
function swallowClick() {
  const swallow = (event) => event.stopPropagation();
  window.addEventListener('click', swallow, { capture: true, once: true });
  setTimeout(() => window.removeEventListener('click', swallow, { capture: true }));
}
