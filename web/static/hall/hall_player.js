// A player of the hall: games and wins, and the games played at all tables, the last first.

import { getJson } from '../api.js';
import { FailedRequest, askFor } from '../components.js';
import { byId } from '../dom.js';
import { html, render } from '../html.js';
import { say, sayCount } from '../say.js';
import { EndedGame } from './hall_parts.js';

const MOST = 50;
const element = byId('hall-player');
let player = null;
let games = [];
let hasMore = false;
let failure = null;

const Page = () => html`${failure && html`<${FailedRequest} error=${failure} again=${showMore} />`}
  ${player && html`<header><h1>${player.name}</h1><p class="note">${sayCount('{count} game finished', '{count} games finished', player.games)} · ${sayCount('{count} won', '{count} won', player.wins)}</p></header>
  ${games.length ? html`<ol class="hall-games">${games.map((game) => html`<${EndedGame} key=${`${game.table}-${game.number}`} game=${game} isNamed=${true} />`)}</ol>` : html`<p class="note">${say('No game has ended yet. Each one stands here when it is over.')}</p>`}
  ${hasMore && html`<button type="button" id="more" onClick=${showMore}>${say('Older games')}</button>`}`}`;

function show() {
  element.classList.remove('waiting');
  render(html`<${Page} />`, element);
}

async function showMore() {
  const query = new URLSearchParams({ most: String(MOST), before: games.at(-1)?.ended_at ?? '' });
  const { answers: [found], error } = await askFor(getJson(`/api/hall/players/${element.dataset.number}?${query}`));
  failure = error;
  if (found) {
    player = found.player;
    games = [...games, ...found.games];
    hasMore = found.games.length === MOST;
    document.title = `${player.name} – Vander`;
  }
  show();
}

void showMore();
