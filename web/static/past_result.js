// The result of a game: who stands where, what decided it, its best moments, the achievements won; the same again, and what is to be shared.

import { getJson, pictureUrl, postJson } from './api.js';
import { confirmDialog } from './dialog.js';
import { byId, h } from './dom.js';
import { FailedRequest, askFor } from './failed_request.js';
import { pastTime } from './format.js';
import { Component, html, render } from './html.js';
import { momentTitle, pictureName, standings } from './past_result_view.js';
import { gameAddress, playerOf, resultOf, titleOf } from './past_games_view.js';
import { PLAIN_DICE } from './plain_dice.js';
import { PlayerFace } from './player_face.js';
import { levelWords, stars } from './player_view.js';
import { drawResult } from './result_picture.js';
import { say, sayParts } from './say.js';
import { orShowError, toast } from './toast.js';
import { mayDecide } from './viewer.js';

const element = byId('past-result');
const number = Number(element.dataset.number);
const COUNT_AGAIN_MS = 1000;

let shown = null;
let players = [];
let titles = [];
let link = '';
let failure = null;
let timer;

const nameOf = (seat) => shown.game.seats.find((one) => one.seat === seat)?.name ?? '';
const rows = () => standings(shown.game.seats, shown.scores);
const title = () => titleOf(titles, shown.game.game);

function Name({ standing }) {
  const player = playerOf(players, standing.player);
  return player ? html`<a class="name" href=${`/players/${player.number}`}>${standing.name}</a>` : html`<span class="name">${standing.name}</span>`;
}

const Standings = () => html`<ol class="seats final">${rows().map((standing) => html`<li key=${standing.seat} class=${standing.won ? 'won' : ''}>
  ${shown.game.game !== PLAIN_DICE && html`<span class="place">${standing.place}.</span>`}<${PlayerFace} player=${playerOf(players, standing.player)} /><${Name} standing=${standing} />${standing.score !== null && shown.game.game !== PLAIN_DICE && html`<a class="score" href=${gameAddress(number)}><strong>${standing.score}</strong></a>`}
</li>`)}</ol>`;

class Moment extends Component {
  render({ moment }, { isGone }) {
    const picture = moment.picture && !isGone && html`<img src=${pictureUrl(moment.picture)} alt="" onError=${() => this.setState({ isGone: true })} />`;
    return html`<li class="moment" data-name=${moment.name}><a href=${gameAddress(number, moment.entry)}>${picture}<h3>${momentTitle(moment.name)}</h3><p>${moment.sentence}</p></a></li>`;
  }
}

const Award = ({ award }) => html`<li class="achievement reached" data-name=${award.name}>
  <h3><a href=${gameAddress(number, award.entry)}>${sayParts('{title} for {name}', { title: award.title, name: html`<strong>${nameOf(award.seat)}</strong>` })}</a></h3><p>${award.text}</p>
  <p class="how-far"><span class="stars" aria-hidden="true">${stars(award.level, award.levels)}</span><span class="for-readers">${levelWords(award.level, award.levels)}</span></p>
</li>`;

const Deeds = () => html`<div class="buttons">
  ${mayDecide() && html`<button type="button" id="rematch" class="main" onClick=${rematch}>${say('The same again')}</button>`}
  <a class="button" id="steps" href=${gameAddress(number)}>${say('Step through the game')}</a>
  <button type="button" id="share" onClick=${share}>${say('Share a picture')}</button>
  ${mayDecide() && html`<a class="button quiet" id="record" href=${`/api/history/${number}/record.txt`} download>${say('Save the record')}</a>`}
  ${link && html`<a class="button quiet" id="bg-stats" href=${link}>${say('Send to BG Stats')}</a>`}
</div>`;

const Failure = () => html`<${FailedRequest} error=${failure} again=${start} />`;

const Page = () => html`${failure && html`<${Failure} />`}
  <header class="game-title"><h1>${title()}</h1><p class="when">${pastTime(shown.game.ended_at)}</p><p class=${shown.game.finished ? 'result' : 'result open'}>${resultOf(shown.game)}</p></header>
  <${Standings} /><${Deeds} />
  <p class="uncounted" role="status">${!shown.is_counted && say('The best moments are still being counted. They come by themselves.')}</p>
  ${shown.awards.length > 0 && html`<section class="achievements fresh"><h2>${say('Won by this game')}</h2><ul>${shown.awards.map((award) => html`<${Award} key=${`${award.seat} ${award.name}`} award=${award} />`)}</ul></section>`}
  ${shown.highlights.length > 0 && html`<section class="moments"><h2>${say('Moments')}</h2><ul>${shown.highlights.map((moment) => html`<${Moment} key=${moment.name} moment=${moment} />`)}</ul></section>`}`;

const show = () => render(html`<${Page} />`, element);

/* The same again */

async function rematch() {
  const snapshot = await orShowError(getJson('/api/snapshot'));
  if (!snapshot) return;
  const going = snapshot.state && snapshot.state.to_act.length > 0;
  if (going) confirmDialog(say('Another game is going on'), say('It is left open, and the new one begins.'), say('Begin the new one'), () => begin(snapshot.extras.step));
  else await begin(snapshot.extras.step);
}

async function begin(step) {
  const begun = await orShowError(postJson('/api/game', { ...shown.rematch, step: step ?? '', leave_open: true }));
  if (begun) location.href = '/';
}

/* A picture to share */

async function share() {
  const { game, highlights, awards } = shown;
  const picture = await drawResult({
    title: title(), when: pastTime(game.ended_at), result: resultOf(game),
    rows: rows().map((standing) => ({ ...standing, look: playerOf(players, standing.player) })),
    remarks: highlights.map(({ sentence }) => sentence),
    awards: awards.map((award) => ({ ...award, name: nameOf(award.seat) })),
  }).catch(() => null);
  if (!picture) {
    toast(say('This browser could not draw the picture.'));
    return;
  }
  const file = new File([picture], pictureName(game.game, game.ended_at), { type: picture.type });
  if (navigator.canShare?.({ files: [file] })) await navigator.share({ files: [file], title: title() }).catch(() => null);
  else save(file);
}

function save(file) {
  const address = URL.createObjectURL(file);
  h('a', { href: address, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/* The page */

/** Ask again in a while, until the game is counted. */
function awaitCount() {
  clearTimeout(timer);
  if (!shown.is_counted) timer = setTimeout(fetchCount, COUNT_AGAIN_MS);
}

async function fetchCount() {
  const { answers: [found], error } = await askFor(getJson(`/api/history/${number}/result`));
  failure = error;
  if (found) shown = found;
  show();
  awaitCount();
}

async function start() {
  const { answers: [found, known, games, stats], error } = await askFor(
    getJson(`/api/history/${number}/result`), getJson('/api/players'), getJson('/api/games'),
    mayDecide() ? getJson(`/api/history/${number}/bg-stats`) : null,
  );
  failure = error;
  element.classList.remove('waiting');
  if (!found) {
    render(html`<div class="game-title"><h1>${say('Game {number}', { number })}</h1></div><${Failure} />`, element);
    return;
  }
  [shown, players, titles, link] = [found, known?.players ?? [], games?.games ?? [], stats?.link ?? ''];
  show();
  awaitCount();
}

void start();
