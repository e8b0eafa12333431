// One past game, step by step: what the referee said, the scores after it, and the picture that was kept of it.

import { getJson, pictureUrl } from './api.js';
import { FailedRequest, PlayerFace, askFor } from './components.js';
import { closeButton, dialogTitle, isDialogOpen, onDialogClose, openDialog } from './dialog.js';
import { byId, toast } from './dom.js';
import { gameTime } from './format.js';
import { Component, html, render } from './html.js';
import { gainsAt, gameAddress, pictureAt, placeAfterKey, placeOf, placeOfFace, playerOf, resultOf, titleOf } from './past_games_view.js';
import { say } from './say.js';

const element = byId('past-game');
const number = Number(element.dataset.number);
const REFRESH_MS = 3000;
let timer;

let shown = null;
let place = 0;
let failure = null;

class Picture extends Component {
  render({ picture, isEarlier, sentence }, { gone }) {
    if (!picture || gone === picture) return html`<p class="no-picture">${picture ? say('This picture is no longer kept.') : say('No picture was kept of this step.')}</p>`;
    return html`<img key=${picture} src=${pictureUrl(picture)} alt=${say('The tray: {sentence}', { sentence })} onError=${() => this.setState({ gone: picture })} />
      ${isEarlier ? html`<p class="earlier">${say('As the dice lay before')}</p>` : html`<button type="button" id="film" onClick=${() => openFilm(picture, sentence)}>${say('The film')}</button>`}`;
  }
}

/** Show the film of a throw, where it is still kept. */
async function openFilm(name, sentence) {
  const { filmPlayer } = await import('./film_player.js');
  const film = filmPlayer();
  if (!(await film.load(`/api/films/${encodeURIComponent(name)}`))) {
    toast(say('No film of this throw is kept.'));
    return;
  }
  openDialog(dialogTitle(sentence), film.element, closeButton(say('Close')));
  onDialogClose(film.stop);
}

function Scores({ game, steps, players }) {
  const gains = gainsAt(steps, place);
  const isLast = place === steps.length - 1;
  return html`<ol class="seats scores">${game.seats.map((seat, index) => html`<li key=${seat.seat} class=${isLast && seat.won ? 'won' : ''} aria-current=${steps[place].seat === seat.seat ? 'true' : null}>
    <${PlayerFace} player=${playerOf(players, seat.player)} /><span class="name">${seat.name}</span>
    <strong>${steps[place].scores[index]}</strong>${gains[index] !== 0 && html`<em>${gains[index] > 0 ? '+' : '−'}${Math.abs(gains[index])}</em>`}
  </li>`)}</ol>`;
}

const Said = ({ step }) => html`<div class=${step.is_play ? 'said' : 'said besides'} aria-live="polite" aria-atomic="true">
  ${step.calls.map(({ sentence, rule }) => html`<p>${sentence} ${rule && html`<span class="rule" aria-label=${say('rule {rule}', { rule })}>${rule}</span>`}</p>`)}
</div>`;

const Steering = ({ count }) => html`<div class="steering">
  <button type="button" id="back" disabled=${place === 0} onClick=${() => goTo(place - 1)}>${say('Back')}</button>
  <label for="at"><span>${say('Step {step} of {count}', { step: place + 1, count })}</span><input id="at" type="range" min="1" max=${count} value=${place + 1} onInput=${({ target }) => goTo(Number(target.value) - 1)} /></label>
  <button type="button" id="next" class="main" disabled=${place === count - 1} onClick=${() => goTo(place + 1)}>${say('Next')}</button>
</div>`;

const Failure = () => html`<${FailedRequest} error=${failure} again=${start} />`;

function Page({ game, steps, players, titles }) {
  const step = steps[place];
  return html`<header class="game-title">${failure && html`<${Failure} />`}<h1>${titleOf(titles, game.game)}</h1><p class="when">${gameTime(game)}</p><p class=${game.finished ? 'result' : 'result open'}><a id="to-result" href=${`/history/${number}/result`}>${resultOf(game)}</a></p></header>
    ${step
      ? html`<${Scores} game=${game} steps=${steps} players=${players} />
        <div class="picture"><${Picture} ...${pictureAt(steps, place)} /></div>
        <${Said} step=${step} /><${Steering} count=${steps.length} />`
      : html`<p class="none">${say('Nothing was played in this game.')}</p>`}`;
}

const show = () => render(html`<${Page} ...${shown} />`, element);

function goTo(wanted) {
  const now = Math.min(shown.steps.length - 1, Math.max(0, wanted));
  if (now === place) return;
  place = now;
  history.replaceState(null, '', gameAddress(number, shown.steps[place].entry));
  show();
}

document.addEventListener('keydown', (event) => {
  const isElsewhere = event.altKey || event.ctrlKey || event.metaKey || /** @type {Element} */ (event.target).closest('input');
  if (!shown?.steps.length || isElsewhere || isDialogOpen()) return;
  const wanted = placeAfterKey(event.key, place, shown.steps.length);
  if (wanted === place) return;
  event.preventDefault();
  goTo(wanted);
});

/** Ask again in a while, until the game's result is counted. */
function awaitResult() {
  clearTimeout(timer);
  if (shown.game.seats.some(({ score }) => score === null)) timer = setTimeout(fetchResult, REFRESH_MS);
}

async function fetchResult() {
  const { answers: [found], error } = await askFor(getJson(`/api/history/${number}`));
  failure = error;
  if (found) shown = { ...shown, game: found.game };
  show();
  awaitResult();
}

/** Return the place for which the address asks: that of an entry, or of the first throw of a face. */
function placeAsked(words) {
  const entry = Number(words.get('entry'));
  return entry ? placeOf(shown.steps, entry) : placeOfFace(shown.steps, words.get('face') ?? '');
}

async function start() {
  const { answers: [found, players, games], error } = await askFor(getJson(`/api/history/${number}`), getJson('/api/players'), getJson('/api/games'));
  failure = error;
  element.classList.remove('waiting');
  if (!found) {
    render(html`<div class="game-title"><h1>${say('Game {number}', { number })}</h1></div><${Failure} />`, element);
    return;
  }
  shown = { game: found.game, steps: found.steps, players: players?.players ?? [], titles: games?.games ?? [] };
  place = placeAsked(new URLSearchParams(location.search));
  show();
  awaitResult();
}

void start();
