// Lights on a board: in a row, or one above the other in the housing of a traffic light.

import { faceGlyph, hasDrawing } from '../die_faces.js';
import { Component, html } from '../html.js';
import { lightWords } from './board_view.js';

const SIGNS = { green: '✓', yellow: '!', red: '×' };

/** Draw lights. @param {{part: any}} props @returns {any} */
export function BoardLights({ part }) {
  return html`<span class=${part.is_upright ? 'light-row upright' : 'light-row'} data-count=${part.lights.length} role="img" aria-label=${lightWords(part)}>
    ${part.lights.map((light) => html`<span class=${`light ${light.colour}${light.is_lit ? ' lit' : ''}`} data-face=${light.face}>
      ${hasDrawing(light.face) ? html`<${Glyph} face=${light.face} />` : light.is_lit && html`<span class="sign">${SIGNS[light.colour] ?? ''}</span>`}</span>`)}
  </span>`;
}

/** What a light's face shows, drawn again only when it is another one. */
class Glyph extends Component {
  shouldComponentUpdate({ face }) {
    return face !== this.props.face;
  }

  render({ face }) {
    return html`<span class="lamp-glyph" ref=${(element) => element?.replaceChildren(faceGlyph(face))} />`;
  }
}
