// The parts of a board, by their kind: places for dice, sections, tracks, cards, lights and tallies; and where choices are made on them.

import { html } from '../html.js';
import { BoardCard } from './board_cards.js';
import { ChipStacks } from './board_chips.js';
import { BoardDie } from './board_die.js';
import { BoardLights } from './board_lights.js';
import { BoardSection } from './board_sections.js';
import { BoardTrack } from './board_track.js';
import { selectedDice } from './selection.js';
import { isPickable, placeName, placeView } from './selection_view.js';
import { say } from '../say.js';

const LEGAL = ['open', 'fits', 'hand'];
/** A tally of more is written as a number alone. */
const MOST_PICTURED = 24;
const HINTED = ['dice', 'track', 'lights', 'tally', 'card'];

/**
 * Draw one part of a board. Where something may be put, all of it is one large button under the dice.
 * @param {{part: any, seat: number, boardTitle: string, table: any, isSmall?: boolean}} props `table`: what all parts
 * need, made in boards.js @returns {any}
 */
export function BoardPart({ part, seat, boardTitle, table, isSmall = false }) {
  const { state, hint } = placeView({ seat, part, offers: table.offers, viewer: table.viewer, selected: selectedDice() });
  const isLegal = LEGAL.includes(state);
  const isTapped = state && state !== 'hand';
  const Drawn = DRAWN[part.part];
  const classes = ['part', part.part, part.mark, isSmall && 'small', isLegal && 'legal', state].filter(Boolean).join(' ');
  const tap = (event) => table.onPlace({ seat, part, boardTitle, element: event.currentTarget.closest('[data-place]') });
  return html`<div class=${classes} data-part=${part.key} data-place=${placeName(seat, part.key)} role="group" aria-label=${part.title}>
    ${isTapped
      ? html`<button type="button" class="put" data-key=${`part-${seat}-${part.key}`} aria-label=${`${part.title}: ${hint}`} onClick=${tap}><span class="part-title">${part.title}</span></button>`
      : html`<span class="part-title">${part.title}</span>`}
    <${Drawn} part=${part} seat=${seat} boardTitle=${boardTitle} table=${table} isSmall=${isSmall} Part=${BoardPart} />
    ${isLegal && !isSmall && HINTED.includes(part.part) && html`<span class="put-hint" aria-hidden=${String(Boolean(isTapped))}>${hint}</span>`}
  </div>`;
}

function BoardPlace({ part: { key, dice, room, points, price, needs, wanted }, seat, isSmall, table: { look, offers, unlisted, viewer } }) {
  const pickOf = (die, place) => (!isSmall && isPickable(die, offers, unlisted, viewer) ? { id: `board-${seat}-${key}-${place}` } : null);
  const empty = Math.max(0, room - dice.length - wanted.length);
  return html`
    <span class="place-dice">
      ${dice.map((die, place) => html`<${BoardDie} die=${die} look=${look} pick=${pickOf(die, place)} />`)}
      ${wanted.map((die) => html`<span class="wanted"><${BoardDie} die=${die} look=${look} /></span>`)}
      ${Array.from({ length: empty }, () => html`<span class="empty-place" />`)}
    </span>
    ${needs && html`<span class=${wanted.length ? 'needs drawn' : 'needs'}>${needs}</span>`}
    ${price > 0 && html`<span class="price">${price}</span>`}
    ${points !== null && html`<strong class="points">${points}</strong>`}`;
}

function BoardTally({ part: { value, of, at_risk: risk, look } }) {
  if (look === 'chips') return html`<${ChipStacks} value=${value} />`;
  const isPictured = look && Math.max(value, of) <= MOST_PICTURED;
  return html`<span class="tally-number"><strong class="points">${value}</strong>${of > 0 && html`<small> ${say('of {most}', { most: of })}</small>`}
    ${risk > 0 && html`<span class="at-risk">+${risk}</span>`}</span>
    ${isPictured && html`<span class=${look} aria-hidden="true">${Array.from({ length: Math.max(value, look === 'dots' ? of : 0) }, (_, place) => html`<span class=${place < value ? 'on' : ''} />`)}</span>`}
    ${!isPictured && of > 0 && html`<span class="of-share" aria-hidden="true"><span style=${{ width: `${Math.min(100, (100 * value) / of)}%` }} /></span>`}`;
}

const DRAWN = { dice: BoardPlace, section: BoardSection, track: BoardTrack, card: BoardCard, lights: BoardLights, tally: BoardTally };
