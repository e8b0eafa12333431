// The page of past games: who played what and how it came out, narrowed to a game or to players; each opens step by step.

import { PLAIN_DICE, getJson } from './api.js';
import { FailedRequest, PlayerFace, askFor } from './components.js';
import { byId, h } from './dom.js';
import { gameTime } from './format.js';
import { html, render } from './html.js';
import { faceChoices, filterOf, playerOf, queryOf, resultOf, throwAddress, titleOf } from './past_games_view.js';
import { say, sayCount } from './say.js';
import { confirmEnd, drawOpenGames, fetchOpenGames, playOn } from './setup_parts.js';
import { mayDecide } from './viewer.js';

const FULL = 50;
/** So many open games stand above the past ones without a tap. */
const MOST_OPEN = 4;
const COUNT_AGAIN_MS = 3000;

const known = { players: [], games: [], dieSets: [], title: '', kinds: [] };
let filter = filterOf(location.search);
let list = { games: [], uncounted: 0, hasMore: false };
let failure = null;
let listFailure = null;
let timer;
/** Counts the requests for the list: the answer of one that a later one has overtaken is ignored. */
let asks = 0;

function Choice({ id, label, value, choices, all, onChoose }) {
  return html`<label for=${id}>${label}<select id=${id} value=${String(value || '')} onChange=${({ target }) => onChoose(target.value)}>
    <option value="">${all}</option>${choices.map(({ key, title }) => html`<option key=${key} value=${String(key)} selected=${key === value}>${title}</option>`)}
  </select></label>`;
}

const playerChoices = (without) => known.players.filter(({ number }) => number !== without).map(({ number, name }) => ({ key: number, title: name }));

/** The dice that there are now, and those that are chosen, which may be gone. */
function dieSetChoices() {
  const choices = known.dieSets.map(({ name, title }) => ({ key: name, title }));
  return !filter.dice || choices.some(({ key }) => key === filter.dice) ? choices : [...choices, { key: filter.dice, title: known.title || filter.dice }];
}

const Filters = () => html`<form class="filters" aria-label=${say('Which games')} onSubmit=${(event) => event.preventDefault()}>
  <${Choice} id="by-game" label=${say('Game')} value=${filter.game} all=${say('All games')} choices=${known.games.map(({ name, title }) => ({ key: name, title }))} onChoose=${(game) => narrow({ game })} />
  <${Choice} id="by-player" label=${say('Player')} value=${filter.player} all=${say('Everybody')} choices=${playerChoices(0)} onChoose=${(player) => narrow({ player: Number(player), against: 0 })} />
  ${filter.player > 0 && html`<${Choice} id="by-other" label=${say('Together with')} value=${filter.against} all=${say('Anybody')} choices=${playerChoices(filter.player)} onChoose=${(against) => narrow({ against: Number(against) })} />`}
  ${(filter.dice || known.dieSets.length > 1) && html`<${Choice} id="by-dice" label=${say('Dice')} value=${filter.dice} all=${say('All dice')} choices=${dieSetChoices()} onChoose=${chooseDice} />`}
  ${filter.dice && html`<${Choice} id="by-face" label=${say('Throws with')} value=${filter.face} all=${say('Any face')} choices=${faceChoices(known.kinds, filter.face)} onChoose=${(face) => narrow({ face })} />`}
</form>`;

const Seat = ({ seat, score }) => html`<li class=${seat.won ? 'won' : ''}>
  <${PlayerFace} player=${playerOf(known.players, seat.player)} /><span class="name">${seat.name}</span><strong>${score ?? ''}</strong>
</li>`;

const Game = ({ game }) => html`<li class="past" data-number=${game.number}>
  <h2><a href=${throwAddress(game.number, filter.face)}>${titleOf(known.games, game.game)}</a></h2>
  <p class="when">${gameTime(game)}</p>
  <ul class="seats">${game.seats.map((seat) => html`<${Seat} key=${seat.seat} seat=${seat} score=${game.game === PLAIN_DICE ? null : seat.score} />`)}</ul>
  <p class=${game.finished ? 'result' : 'result open'}>${resultOf(game)}</p>
</li>`;

function Page() {
  const isNarrowed = Boolean(queryOf(filter));
  return html`${(failure || listFailure) && html`<${FailedRequest} error=${failure ?? listFailure} again=${start} />`}<${Filters} />
    <p class="uncounted" role="status">${list.uncounted > 0 && sayCount('{count} game still being counted. The scores come by themselves.', '{count} games still being counted. The scores come by themselves.', list.uncounted)}</p>
    ${list.games.length
      ? html`<ol class="past-list">${list.games.map((game) => html`<${Game} key=${game.number} game=${game} />`)}</ol>`
      : !listFailure && html`<p class="none">${isNarrowed ? say('No such game was played to an end yet.') : say('No game has ended yet. Each one stands here when it is over.')}</p>`}
    ${list.hasMore && html`<button type="button" id="more" onClick=${showMore}>${say('Older games')}</button>`}`;
}

const show = () => render(html`<${Page} />`, byId('past-games'));

function narrow(change) {
  filter = { ...filter, ...change };
  history.replaceState(null, '', `/history${queryOf(filter)}`);
  show();
  void showNewest();
}

/** Narrow the list to the games with a set of dice, and ask which faces these have. */
async function chooseDice(dice) {
  [known.title, known.kinds] = ['', []];
  narrow({ dice, face: '' });
  failure = (await askFor(fetchKinds())).error;
  show();
}

async function fetchKinds() {
  const { dice } = filter;
  const found = dice && (await getJson(`/api/fairness/${encodeURIComponent(dice)}`));
  if (found && dice === filter.dice) [known.title, known.kinds] = [found.title, found.kinds];
}

async function fetchGames(before) {
  const asked = (asks += 1);
  const { answers: [found], error } = await askFor(getJson(`/api/history${queryOf(filter, before)}`));
  if (asked !== asks) return null;
  listFailure = error;
  if (error) show();
  return found;
}

async function showNewest() {
  clearTimeout(timer);
  const found = await fetchGames(0);
  if (!found) return;
  list = { ...found, hasMore: found.games.length === FULL };
  show();
  if (found.uncounted) timer = setTimeout(showNewest, COUNT_AGAIN_MS);
}

async function showMore() {
  clearTimeout(timer);
  const found = await fetchGames(list.games.at(-1).number);
  if (!found) return;
  list = { ...found, games: [...list.games, ...found.games], hasMore: found.games.length === FULL };
  show();
}

async function start() {
  const { answers: [players, games], error } = await askFor(getJson('/api/players'), getJson('/api/games'), fetchKinds());
  failure = error;
  byId('past-games').classList.remove('waiting');
  known.players = players?.players ?? [];
  known.games = games?.games ?? [];
  known.dieSets = games?.die_sets ?? [];
  await showNewest();
}

/** Show the games that stand open above those that are over, folded where they would push these out of sight. */
function showOpen(games) {
  const place = byId('open-games');
  const end = (game) => confirmEnd(game, (left) => {
    showOpen(left);
    void showNewest();
  });
  const act = { playOn: async (number) => (await playOn(number)) && location.assign('/'), end };
  const drawn = drawOpenGames(games, mayDecide() ? act : null);
  if (!drawn || (games.length <= MOST_OPEN && !queryOf(filter))) return place.replaceChildren(...[drawn].filter(Boolean));
  const summary = h('summary', {}, sayCount('{count} game stands open', '{count} games stand open', games.length));
  return place.replaceChildren(h('details', { open: place.querySelector('details')?.open }, summary, drawn));
}

void fetchOpenGames().then(showOpen);
void start();
