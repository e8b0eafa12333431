// The page of the checked dice: the throws of which people said whether they were read right, with their pictures where kept.

import { getJson, pictureUrl } from './api.js';
import { FailedRequest, askFor } from './components.js';
import { byId } from './dom.js';
import { clockTime } from './format.js';
import { Component, html, render } from './html.js';
import { gameAddress, rightDice, titleOf, wrongDice } from './past_games_view.js';
import { say, sayCount } from './say.js';

const element = byId('checked-throws');
const onlyWrong = new URLSearchParams(location.search).get('wrong') === '1';

let titles = [];
let list = { throws: [], has_more: false, unnamed: 0 };
let failure = null;
/** Counts the requests for throws: the answer of one that a later one has overtaken is ignored. */
let asks = 0;

class Throw extends Component {
  render({ thrown }, { isGone }) {
    const picture = thrown.picture && !isGone && html`<img loading="lazy" src=${pictureUrl(thrown.picture)} alt="" onError=${() => this.setState({ isGone: true })} />`;
    const title = titleOf(titles, thrown.game) || say('A game that is no longer kept');
    const right = rightDice(thrown.dice);
    return html`<li class="past checked">${picture || html`<p class="no-picture">${say('No picture is kept.')}</p>`}
      <h2>${thrown.past_game > 0 ? html`<a href=${gameAddress(thrown.past_game, thrown.entry)}>${title}</a>` : title}</h2>
      <p class="when">${clockTime(thrown.at, thrown.clock_doubted)}</p>
      ${wrongDice(thrown.dice).map((sentence) => html`<p class="wrong">${sentence}</p>`)}
      ${right && html`<p>${say('Read right: {dice}', { dice: right })}</p>`}
      ${thrown.game && !thrown.past_game && html`<p class="when">${say('This game is not over yet.')}</p>`}
    </li>`;
  }
}

const Page = () => html`${failure && html`<${FailedRequest} error=${failure} again=${start} />`}
  <p class="explained">${onlyWrong
    ? say('Throws in which a die was read wrong, of those that people were asked about at random.')
    : say('Throws that people were asked about at random: “Is this right?”')}</p>
  ${list.throws.length
    ? html`<ol class="past-list">${list.throws.map((thrown) => html`<${Throw} key=${thrown.number} thrown=${thrown} />`)}</ol>`
    : !failure && html`<p class="none">${say('No throw stands here yet.')}</p>`}
  ${list.has_more && html`<button type="button" id="more" onClick=${showMore}>${say('Older throws')}</button>`}
  ${list.unnamed > 0 && !list.has_more && html`<p class="explained">${sayCount('An earlier version kept of {count} die only that it was checked.', 'An earlier version kept of {count} dice only that they were checked.', list.unnamed)}</p>`}`;

const show = () => render(html`<${Page} />`, element);

const fetchThrows = (before) => getJson(`/api/checked-throws?before=${before}&wrong=${onlyWrong ? 1 : 0}`);

async function showMore() {
  const asked = (asks += 1);
  const { answers: [found], error } = await askFor(fetchThrows(list.throws.at(-1).number));
  if (asked !== asks) return;
  failure = error;
  if (found) list = { ...found, throws: [...list.throws, ...found.throws] };
  show();
}

async function start() {
  const asked = (asks += 1);
  const { answers: [found, games], error } = await askFor(fetchThrows(0), getJson('/api/games'));
  if (asked !== asks) return;
  failure = error;
  list = found ?? list;
  titles = games?.games ?? [];
  element.classList.remove('waiting');
  show();
}

void start();
