// An ended game in a list, which opens entry by entry.

import { dateTime } from '../format.js';
import { html } from '../html.js';
import { resultWords } from './tables_view.js';

/** Draw a game; with its table where games of several tables are listed. @param {{game: any, isNamed?: boolean}} props @returns {any} */
export const EndedGame = ({ game, isNamed = false }) => html`<li><a href=${`/tables/${game.table}/games/${game.number}`}>
  <strong>${game.title}</strong><span class="when">${dateTime(game.ended_at)}</span>
  <span class="seats">${game.seats.map((seat) => html`<span class=${seat.won ? 'won' : ''}>${seat.name} ${seat.score}</span>`)}</span>
  <span class="result">${isNamed ? `${game.table_name} · ` : ''}${resultWords(game)}</span></a></li>`;
