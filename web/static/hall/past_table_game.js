// A game of a table, entry by entry: what the referee said, and the scores after it.

import { getJson } from '../api.js';
import { FailedRequest, askFor } from '../components.js';
import { byId } from '../dom.js';
import { gameTime } from '../format.js';
import { html, render } from '../html.js';
import { say } from '../say.js';
import { outcomeWords } from './hall_parts.js';

const element = byId('past-table-game');
const { number, game: gameNumber } = element.dataset;

const Step = ({ step }) => html`<li class=${step.is_play ? '' : 'besides'}>
  <span class="entry">${step.entry}</span>
  <div>${step.calls.map(({ sentence, rule }) => html`<p>${sentence} ${rule && html`<span class="rule" aria-label=${say('rule {rule}', { rule })}>${rule}</span>`}</p>`)}</div>
  <span class="scores">${step.scores.join(' · ')}</span></li>`;

const Page = ({ found, found: { table, table_name: tableName, game, steps } }) => html`
  <header><h1>${game.title}</h1><p class="note"><a href=${`/tables/${table}`}>${tableName}</a> · ${found.ended_at ? gameTime(found) : say('This game goes on.')}</p></header>
  <ol class="final">${game.seats.map((seat) => html`<li class=${seat.won ? 'won' : ''}><span>${seat.name}</span><strong>${seat.score ?? ''}</strong></li>`)}</ol>
  ${game.is_over && html`<p class="note">${outcomeWords(game)}</p>`}
  ${game.refused && html`<p class="problem">${game.refused}</p>`}
  ${steps.length ? html`<ol class="steps">${steps.map((step) => html`<${Step} key=${step.entry} step=${step} />`)}</ol>` : html`<p class="none">${say('Nothing was played in this game.')}</p>`}`;

async function start() {
  const { answers: [found], error } = await askFor(getJson(`/api/hall/tables/${number}/games/${gameNumber}`));
  element.classList.remove('waiting');
  render(found ? html`<${Page} found=${found} />` : html`<${FailedRequest} error=${error} again=${start} />`, element);
}

void start();
