// The strip of scores: every player's card, the acting one's marked, with what matters of a board that is not shown.

import { renderBrief } from './boards/boards.js';
import { html, render } from './html.js';
import { say } from './say.js';
import { briefFacts } from './table_view.js';

const SEVERAL_PLAYERS = 4;
const MANY_PLAYERS = 6;

/** Draw the players into an element; a tap on one brings the player's board to the front. @param {HTMLElement} element @param {{players: any[], acting: number[], winner: number[], own: number, front: number, boards: import('./boards/boards.js').BoardsView}} view @param {(seat: number) => void} bringToFront @returns {void} */
export function renderPlayers(element, view, bringToFront) {
  render(view.players.length > 0 && html`<${Players} ...${view} bringToFront=${bringToFront} />`, element);
}

function Players({ players, acting, winner, own, front, boards, bringToFront }) {
  const best = Math.max(...players.filter(({ left }) => !left).map(({ score }) => score));
  const size = players.length > MANY_PLAYERS ? 'many' : players.length > SEVERAL_PLAYERS ? 'several' : 'few';
  return html`<ol class=${`players ${size}`} data-count=${players.length}>${players.map(({ seat, name, score, left }) => {
    const isActing = acting.includes(seat);
    const isInFront = seat === front;
    const classes = ['player', isActing && 'active', winner.includes(seat) && 'won', isInFront && 'front', seat === own && 'own', left && 'gone'];
    return html`<li key=${seat} class=${classes.filter(Boolean).join(' ')} data-seat=${seat} aria-current=${isActing ? 'true' : null}>
      <span class="name" title=${name}>${name}${left && html` <em>${say('left')}</em>`}</span>
      <span class=${score === best && best > 0 && !left ? 'score best' : 'score'}>${score}</span>
      ${!isInFront && boards.boards.some((board) => board.seat === seat) && html`<${Brief} seat=${seat} boards=${boards} />`}
      ${front > 0 && players.length > 1 && html`<button type="button" class="bring-to-front" data-key=${`front-${seat}`} aria-label=${say('Show {name}’s sheet', { name })} aria-pressed=${String(isInFront)} onClick=${() => bringToFront(seat)} />`}
    </li>`;
  })}</ol>`;
}

/** What matters to the others of a board that is not in front. */
const Brief = ({ seat, boards }) => html`<div class="glance">
  <div ref=${(element) => element && renderBrief(element, boards, seat)} />
  ${briefFacts(boards.boards, seat).map(({ name, value }) => html`<span class="brief-fact" title=${name}>${value}</span>`)}
</div>`;
