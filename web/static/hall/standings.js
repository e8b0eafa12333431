// The players of the hall by wins, over all time or a season, and found by a part of their names.

import { AnswerOrder, getJson } from '../api.js';
import { FailedRequest, askFor } from '../components.js';
import { byId } from '../dom.js';
import { html, render } from '../html.js';
import { say } from '../say.js';
import { seasonQuery } from './hall_parts.js';

const ASK_AFTER_MS = 250;
const order = new AnswerOrder();
const filter = { name: '', since: '', until: '' };
let rows = null;
let failure = null;
let timer;

const Row = ({ row }) => html`<tr><td>${row.rank ?? ''}</td><th scope="row"><a href=${`/players/${row.player}`}>${row.name}</a></th><td>${row.games}</td><td>${row.wins}</td><td>${row.best_score ?? ''}</td></tr>`;

const Season = () => html`<table class="season">
  <thead><tr><th scope="col">${say('Place')}</th><th scope="col">${say('Player')}</th><th scope="col">${say('Games')}</th><th scope="col">${say('Wins')}</th><th scope="col">${say('Best score')}</th></tr></thead>
  <tbody>${rows.map((row) => html`<${Row} key=${row.player} row=${row} />`)}</tbody></table>`;

const Page = () => html`<h1>${say('Players')}</h1>
  <form class="season-filter" onSubmit=${(event) => event.preventDefault()}>
    <label for="find-player">${say('Find a player')}<input class="name" id="find-player" type="search" autocomplete="off" maxlength="24" onInput=${({ target }) => narrow({ name: target.value })} /></label>
    <label for="since">${say('From')}<input class="name" id="since" type="date" disabled=${Boolean(filter.name)} onInput=${({ target }) => narrow({ since: target.value })} /></label>
    <label for="until">${say('Up to and including')}<input class="name" id="until" type="date" disabled=${Boolean(filter.name)} onInput=${({ target }) => narrow({ until: target.value })} /></label>
  </form>
  ${failure && html`<${FailedRequest} error=${failure} again=${refresh} />`}
  ${rows && (rows.length ? html`<${Season} />` : html`<p class="note">${filter.name ? say('Nobody is called so.') : say('Nobody has finished a game then.')}</p>`)}`;

function show() {
  byId('standings').classList.remove('waiting');
  render(html`<${Page} />`, byId('standings'));
}

function narrow(change) {
  Object.assign(filter, change);
  clearTimeout(timer);
  timer = setTimeout(refresh, ASK_AFTER_MS);
}

/** The rows of a search have no places and no best scores: they are of all time. */
const found = (answer) => answer.rows ?? answer.players.map(({ number, ...player }) => ({ ...player, player: number }));

async function refresh() {
  const asked = await order.look(askFor(getJson(seasonQuery(filter))));
  if (!asked) return;
  failure = asked.error;
  rows = asked.answers[0] ? found(asked.answers[0]) : rows;
  show();
}

await refresh();
