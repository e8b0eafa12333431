// A section of places for dice in short: one little mark a place, which fills as the place does.

import { html } from '../html.js';
import { sectionMarks } from './card_view.js';

/** Draw the marks of a section's places. @param {{places: any[]}} props @returns {any} */
export const SectionMarks = ({ places }) => html`<span class="section-marks">${sectionMarks(places).map(({ key, label, mark, words, filled }) => html`
  <span class="section-mark" key=${key} data-mark=${mark} role="img" aria-label=${words}><span style=${{ height: `${Math.round(100 * filled)}%` }} /><b aria-hidden="true">${label}</b></span>`)}</span>`;
