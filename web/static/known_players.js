// The page of the players whom the table remembers; each leads to a page of its own.

import { getJson } from './api.js';
import { PlayerFace } from './components.js';
import { byId, orShowError } from './dom.js';
import { html, render } from './html.js';
import { queryOf } from './past_games_view.js';
import { say, sayCount } from './say.js';

const games = (player) => sayCount('{count} game', '{count} games', player.games);

const Player = ({ player }) => html`<li class="past player-row" data-number=${player.number}>
  <${PlayerFace} player=${player} /><h2><a href=${`/players/${player.number}`}>${player.name}</a></h2><p class="played">${player.games > 0 ? html`<a href=${`/history${queryOf({ player: player.number })}`}>${games(player)}</a>` : games(player)}</p>
</li>`;

const byGames = (players) => [...players].sort((one, other) => other.games - one.games);

const Page = ({ players }) => html`
  ${players.length
    ? html`<ol class="past-list">${byGames(players).map((player) => html`<${Player} key=${player.number} player=${player} />`)}</ol>`
    : html`<p class="none">${say('Nobody has played yet. Whoever plays is remembered here.')}</p>`}
  <p class="further"><a class="button quiet" id="to-fairness" href="/fairness">${say('Are the dice fair?')}</a></p>`;

async function start() {
  const found = await orShowError(getJson('/api/players'));
  if (!found) return;
  byId('known-players').classList.remove('waiting');
  render(html`<${Page} ...${found} />`, byId('known-players'));
}

void start();
