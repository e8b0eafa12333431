// The dice that are selected to be put on a board: by tap, by key, or by dragging them there. Dice of the panel and of the boards alike.

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
