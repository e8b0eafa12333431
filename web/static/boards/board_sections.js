// A section of a sheet on a board: its places under one title.

import { html } from '../html.js';
import { SectionMarks } from './section_marks.js';

/** Draw a section, a small one as marks; `Part` draws each of its places. @param {{part: any, seat: number, boardTitle: string, table: any, isSmall: boolean, Part: any}} props @returns {any} */
export function BoardSection({ part: { places, note }, seat, boardTitle, table, isSmall, Part }) {
  if (isSmall) return html`<${SectionMarks} places=${places} />`;
  return html`${note && html`<span class="note">${note}</span>`}
    <div class="places">${places.map((part) => html`<${Part} key=${part.key} part=${part} seat=${seat} boardTitle=${boardTitle} table=${table} isSmall=${true} />`)}</div>`;
}
