// A road on a board, with a token for each player, and a ghost of the token where it would go with the points at risk.

import { html } from '../html.js';
import { initialsOf, trackView, trackWords } from './board_view.js';

const percent = (share) => `${share}%`;

/** Draw a track. @param {{part: any, table: any}} props @returns {any} */
export function BoardTrack({ part, table: { players } }) {
  const { goal, rows, marks, tokens } = trackView(part);
  return html`<span class="road" role="img" aria-label=${trackWords(part, players)} style=${{ '--rows': rows }}>
    <span class="lane" />
    ${marks.map(({ number, at }) => html`<span class="road-mark" style=${{ left: percent(at) }}><small>${number}</small></span>`)}
    <span class="finish" style=${{ left: percent(goal) }}><small>${part.goal}</small></span>
    ${tokens.map((token) => html`<${Token} key=${token.seat} token=${token} players=${players} />`)}
  </span>`;
}

function Token({ token: { seat, at, to, row, risk, isBefore }, players }) {
  const initials = initialsOf(players, seat);
  return html`
    ${risk > 0 && html`<span class="risk-way" style=${{ '--at': at, '--far': to - at, '--row': row }} />
      <span class=${isBefore ? 'token ghost before' : 'token ghost'} data-seat=${seat} style=${{ '--at': to, '--from': at, '--row': row }}>+${risk}</span>`}
    <span class="token" data-seat=${seat} style=${{ '--at': at, '--row': row }}>${initials}</span>`;
}
