// A number on a board that is drawn as stacks of chips.

import { html } from '../html.js';
import { chipStacks } from './card_view.js';

/** Draw stacks of chips with their value. @param {{value: number}} props @returns {any} */
export const ChipStacks = ({ value }) => html`<span class="chip-tally">
  <span class="chip-stacks" aria-hidden="true">${chipStacks(value).map(({ worth, count }) => html`
    <span class="chip-stack" data-worth=${worth}>${Array.from({ length: count }, () => html`<i />`)}</span>`)}</span>
  <strong class="points">${value}</strong></span>`;
