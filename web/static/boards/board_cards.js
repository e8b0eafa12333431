// A card or a deck on a board: its top with the dice it pictures, what lies on it, its discards, and the dice that make it.

import { html } from '../html.js';
import { BoardDie } from './board_die.js';
import { cardWords, discardWords, placesOf } from './card_view.js';

/** Draw a card. @param {{part: any, seat: number, table: any}} props @returns {any} */
export function BoardCard({ part, table: { look } }) {
  const { face, dice, holds, discarded, made_of: madeOf, dealt_to: dealtTo } = part;
  const light = (event) => lightDice(event.currentTarget, madeOf);
  const handlers = madeOf.length ? { onPointerEnter: light, onFocusIn: light, onPointerLeave: dim, onFocusOut: dim } : {};
  return html`<span class="card-spread" ...${handlers}>
    <span class=${face ? 'playing-card' : 'playing-card none'} data-dealt=${dealtTo} role="img" aria-label=${cardWords(part)}>
      ${face && html`<b class="corner" aria-hidden="true">${face}</b>`}
      <strong class="card-face" aria-hidden="true">${face}</strong>
      ${dice.length > 0 && html`<span class="pictured" aria-hidden="true">${dice.map(({ kind }) => html`<${PicturedDie} kind=${kind} />`)}</span>`}
      ${holds && html`<${Disk} />`}
    </span>
    ${madeOf.length > 0 && html`<span class="sum" aria-hidden="true">${madeOf.map((die, place) => html`${place > 0 && html`<i>+</i>`}<${BoardDie} die=${die} look=${look} />`)}</span>`}
    ${discarded.length > 0 && html`<span class="discards" role="img" aria-label=${discardWords(discarded)}>${discarded.map((each, place) => html`
      <span class="discard" data-dealt=${dealtTo} style=${{ '--turn': `${(place * 37) % 9 - 4}deg` }}>${each}</span>`)}</span>`}
  </span>`;
}

/** A die that a card pictures, without a face: ordinary ones as squares, any other kind as a square with a lever. */
const PicturedDie = ({ kind }) => html`<svg viewBox="0 0 20 20" class="pictured-die" data-kind=${kind}><rect x="1.5" y="1.5" width="17" height="17" rx="4" />
  ${kind === 'd6' ? PIPS.map(([x, y]) => html`<circle cx=${x} cy=${y} r="1.8" />`) : html`<path d="M5.5 8h7m-2-2.5L13 8l-2.5 2.5M14.5 12.5h-7m2-2.5L7 12.5l2.5 2.5" />`}</svg>`;

const PIPS = [[6, 6], [14, 6], [10, 10], [6, 14], [14, 14]];

/** The disk that keeps a card where it is. */
const Disk = () => html`<svg viewBox="0 0 100 100" class="disk" aria-hidden="true"><circle cx="50" cy="50" r="46" /><circle cx="50" cy="50" r="36" class="rim" /><path d="M30 50h40" /></svg>`;

const LIT = 'lit-for-sum';

/** Light up the dice on the same board, and in the panel of dice, that make a card. */
function lightDice(element, madeOf) {
  dim();
  const board = element.closest('[data-board]');
  const lying = [...(board?.querySelectorAll('[data-part="rolled"] .board-die') ?? [])];
  const dice = lying.map(({ dataset: { kind, face } }) => ({ kind, face }));
  for (const place of placesOf(dice, madeOf)) lying[place].classList.add(LIT);
}

function dim() {
  for (const element of document.querySelectorAll(`.${LIT}`)) element.classList.remove(LIT);
}
