// The page of a player: figures that lead to the throws behind them, achievements, and what the player may have changed.

import { getJson, postJson } from './api.js';
import { FailedRequest, PlayerFace, askFor } from './components.js';
import { closeButton, closeDialog, dialogTitle, onDialogClose, openDialog } from './dialog.js';
import { byId, h, orShowError, toast } from './dom.js';
import { listed } from './format.js';
import { html, render } from './html.js';
import { cameFrom, colourWord, figuresOf, headToHead, inOrder, levelWords, luckNote, pictureWord, progressWords, stars, titleOf } from './past_games_view.js';
import { say, sayCount } from './say.js';
import { isKeeper, mayDecide } from './viewer.js';

const element = byId('player-page');
const number = Number(element.dataset.number);
const COUNT_AGAIN_MS = 3000;

let known = { players: [], colours: [], pictures: [] };
let titles = [];
let counted = { games: [], theirs: [], uncounted: 0 };
let achievements = [];
let against = 0;
let failure = null;
let countFailure = null;
let timer;

const player = () => known.players.find((one) => one.number === number);
const others = () => known.players.filter((one) => one.number !== number);

/* Figures */

const Figure = ({ name, value, note, href }) => html`<div class="figure"><dt>${name}</dt><dd><a href=${href}><strong>${value}</strong>${note && html`<span>${note}</span>`}</a></dd></div>`;

const Sums = ({ sums }) => html`<section class="sums" data-game=${sums.game}>
  <h2>${titleOf(titles, sums.game)}</h2>
  <dl>${figuresOf(sums, number, against).map((figure) => html`<${Figure} key=${figure.name} ...${figure} />`)}</dl>
  ${luckNote(sums) && html`<p class="no-luck">${luckNote(sums)}</p>`}
</section>`;

const Duel = ({ other }) => html`<section class="duel"><h2>${say('{name} and {other}', { name: player().name, other: other.name })}</h2>
  <ul>${headToHead(counted.games, counted.theirs).map(({ game, won, lost, games }) => html`<li key=${game}><a href=${`/history?${new URLSearchParams({ game, player: String(number), against: String(against) })}`}>
    <span>${titleOf(titles, game)}</span><strong>${won} : ${lost}</strong><span>${sayCount('{count} game', '{count} games', games)}</span></a></li>`)}</ul>
</section>`;

function Figures() {
  const other = others().find((one) => one.number === against);
  return html`${others().length > 0 && html`<label class="against" for="against">${say('Only games with')}<select id="against" value=${String(against || '')} onChange=${({ target }) => choose(Number(target.value))}>
      <option value="">${say('Anybody')}</option>${others().map((one) => html`<option key=${one.number} value=${String(one.number)}>${one.name}</option>`)}
    </select></label>`}
    <p class="uncounted" role="status">${counted.uncounted > 0 && sayCount('{count} game is still being counted. The figures come by themselves.', '{count} games are still being counted. The figures come by themselves.', counted.uncounted)}</p>
    ${other && counted.games.length > 0 && html`<${Duel} other=${other} />`}
    ${counted.games.length
      ? html`<div class="all-sums">${counted.games.map((sums) => html`<${Sums} key=${sums.game} sums=${sums} />`)}</div>
        <p class="explained">${say('Luck counts how far chance was kind: after many throws, 95 of 100 players lie from −2 to +2. It is 0 on average, whatever anybody decides.')}</p>`
      : !countFailure && html`<p class="none">${say('No game was played to its end yet.')}</p>`}`;
}

/* Achievements */

function Achievement({ progress }) {
  const words = html`<span class="stars" aria-hidden="true">${stars(progress.level, progress.levels)}</span><span class="for-readers">${levelWords(progress.level, progress.levels)}</span>`;
  const href = cameFrom(progress, number);
  const title = href ? html`<a href=${href}>${progress.title}</a>` : progress.title;
  return html`<li class=${progress.level ? 'achievement reached' : 'achievement'} data-name=${progress.name}>
    <h3>${title}</h3><p>${progress.text}</p><p class="how-far">${words} ${progressWords(progress)}</p>
  </li>`;
}

const Achievements = () => html`<section class="achievements"><h2>${say('Achievements')}</h2>
  <ul>${inOrder(achievements).map((progress) => html`<${Achievement} key=${progress.name} progress=${progress} />`)}</ul>
</section>`;

/* What may be changed and taken along */

const Deeds = () => html`<section class="deeds"><h2>${say('This player')}</h2><div class="buttons">
  <button type="button" id="change" onClick=${openChange}>${say('Name and picture')}</button>
  <a class="button" id="results-csv" href=${`/api/players/${number}/results.csv`} download>${say('Results as a table (CSV)')}</a>
  <a class="button" id="results-json" href=${`/api/players/${number}/results.json`} download>${say('Results as JSON')}</a>
  ${isKeeper() && others().length > 0 && html`<button type="button" id="merge" onClick=${openMerge}>${say('Two names, one person')}</button>`}
  ${isKeeper() && html`<button type="button" id="forget" class="grave" onClick=${openForget}>${say('Forget this player')}</button>`}
</div></section>`;

function looks(name, values, now, word, draw) {
  return h('fieldset', { class: `looks ${name}` }, h('legend', {}, word),
    values.map((value) => h('label', { class: 'look' },
      h('input', { type: 'radio', name, value, checked: value === now, 'aria-label': draw.word(value) }), draw.element(value))));
}

function openChange() {
  const { name, colour, picture } = player();
  const input = /** @type {HTMLInputElement} */ (h('input', { type: 'text', class: 'name', id: 'new-name', maxlength: 40, autocomplete: 'off', 'aria-label': say('Name') }));
  input.value = name;
  const form = h('form', { class: 'change-form' }, input,
    looks('colour', known.colours, colour, say('Colour'), { word: colourWord, element: (value) => h('span', { class: 'player-face', 'data-colour': value }) }),
    looks('picture', known.pictures, picture, say('Picture'), { word: pictureWord, element: (value) => h('span', { class: 'player-face', 'data-colour': colour }, h('img', { src: `/static/players/${value}.svg`, alt: '', width: 64, height: 64 })) }),
    h('div', { class: 'pair' }, closeButton(say('Leave it')), h('button', { type: 'submit', class: 'main', id: 'keep-change' }, say('Keep it'))));
  form.addEventListener('change', () => {
    const chosen = String(new FormData(/** @type {HTMLFormElement} */ (form)).get('colour'));
    for (const face of form.querySelectorAll('.picture .player-face')) face.setAttribute('data-colour', chosen);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const chosen = new FormData(/** @type {HTMLFormElement} */ (form));
    void send('change', { name: input.value.trim(), colour: chosen.get('colour') ?? '', picture: chosen.get('picture') ?? '' });
  });
  openDialog(dialogTitle(say('How {name} is shown', { name })), form);
}

function openMerge() {
  const { name } = player();
  const select = /** @type {HTMLSelectElement} */ (h('select', { id: 'merge-into', 'aria-label': say('The name that stays') }, others().map((one) => h('option', { value: one.number }, one.name))));
  openDialog(dialogTitle(say('{name} is the same person as …', { name })),
    select,
    h('p', {}, say('All games and figures of {name} then belong to the other name. This cannot be taken back.', { name })),
    h('div', { class: 'pair' }, closeButton(say('No, go back')), h('button', { type: 'button', class: 'grave', id: 'sure', onclick: () => merge(Number(select.value)) }, say('Put together'))));
}

async function merge(into) {
  if (await send('merge', { into })) location.href = `/players/${into}`;
}

/** What else holds the name, and what becomes of it: a choice for recorded voices, and one for each copy. */
function traceChoices({ voices, copies }, name) {
  const voice = (value, words, isChosen) => h('label', { class: 'trace' }, h('input', { type: 'radio', name: 'voices', value, checked: isChosen }), words);
  return [
    voices.length > 0 && h('fieldset', { class: 'traces' }, h('legend', {}, sayCount('The recorded voice {names}', 'The recorded voices {names}', voices.length, { names: listed(voices.map(({ name: called }) => say('“{name}”', { name: called }))) })),
      voice('rename', say('Keep it, without the name'), true), voice('delete', say('Delete it'), false)),
    copies.length > 0 && h('fieldset', { class: 'traces' }, h('legend', {}, say('Copies that hold {name}, or may. Delete which?', { name })),
      copies.map((copy) => h('label', { class: 'trace' }, h('input', { type: 'checkbox', name: 'copies', value: copy }), copy))),
  ].filter(Boolean);
}

async function openForget() {
  const { name } = player();
  const choices = h('form', { class: 'change-form' }, h('p', { class: 'note' }, say('One moment …')));
  const sure = h('button', { type: 'button', class: 'grave', id: 'sure', disabled: true, onclick: () => forget(new FormData(/** @type {HTMLFormElement} */ (choices))) }, say('Forget {name}', { name }));
  openDialog(dialogTitle(say('Forget {name}?', { name })),
    h('h3', {}, say('What goes')),
    h('ul', { class: 'told' },
      h('li', {}, say('The name, in all games and in all that was said')),
      h('li', {}, say('The picture, the colour, this page and its figures')),
      h('li', {}, say('Old copies of the journal that hold the name'))),
    h('h3', {}, say('What stays')),
    h('ul', { class: 'told' },
      h('li', {}, say('The games with their throws: the seat is called “Player 1” and so on')),
      h('li', {}, say('The figures of everybody else')),
      h('li', {}, say('Backups and files that you have taken along: those are yours to delete'))),
    choices,
    h('p', {}, say('This cannot be taken back.')),
    h('div', { class: 'pair' }, closeButton(say('No, go back')), sure));
  // All files of the data folder are searched for the name, archives too: the dialog opens before that is done.
  const traces = await orShowError(getJson(`/api/players/${number}/traces`, 60_000));
  if (!choices.isConnected) return;
  if (!traces) closeDialog();
  else choices.replaceChildren(...traceChoices(traces, name));
  sure.disabled = !traces;
}

/** @param {FormData} chosen */
async function forget(chosen) {
  const { name } = player();
  const wishes = { voices: chosen.get('voices') ?? 'rename', copies: chosen.getAll('copies') };
  const found = await orShowError(postJson(`/api/players/${number}/forget`, wishes, 60_000));
  if (!found) return;
  const left = found.left.length ? [h('p', {}, say('These copies may still hold the name, and are yours to delete: {files}', { files: found.left.join(', ') }))] : [];
  onDialogClose(() => (location.href = '/players'));
  openDialog(dialogTitle(say('{name} is forgotten', { name })), h('p', {}, sayCount('The name is gone from {count} game.', 'The name is gone from {count} games.', found.games)), ...left,
    h('a', { class: 'button strong', id: 'to-all', href: '/players' }, say('Players')));
}

async function send(what, body) {
  const found = await orShowError(postJson(`/api/players/${number}/${what}`, body));
  if (!found) return false;
  closeDialog();
  known = found;
  if (player()) show();
  if (what === 'change') toast(say('It is kept.'));
  return true;
}

/* The page */

const Failure = () => html`<${FailedRequest} error=${failure ?? countFailure} again=${start} />`;

const Page = () => html`${(failure || countFailure) && html`<${Failure} />`}<header class="player-title"><${PlayerFace} player=${player()} /><h1>${player().name}</h1></header>
  <${Figures} />${achievements.length > 0 && html`<${Achievements} />`}${mayDecide() && html`<${Deeds} />`}`;

const show = () => render(html`<${Page} />`, element);

async function choose(other) {
  against = other;
  history.replaceState(null, '', against ? `?against=${against}` : location.pathname);
  await count();
}

async function count() {
  clearTimeout(timer);
  const asked = against;
  const { answers: [found, progress], error } = await askFor(
    getJson(`/api/players/${number}/statistics${asked ? `?against=${asked}` : ''}`),
    getJson(`/api/players/${number}/achievements`),
  );
  if (asked !== against) return;
  countFailure = error;
  counted = found ?? { games: [], theirs: [], uncounted: 0 };
  achievements = progress?.achievements ?? [];
  show();
  if (counted.uncounted) timer = setTimeout(count, COUNT_AGAIN_MS);
}

async function start() {
  const { answers: [players, games], error } = await askFor(getJson('/api/players'), getJson('/api/games'));
  failure = error;
  element.classList.remove('waiting');
  if (!players) {
    render(html`<h1>${say('Players')}</h1><${Failure} />`, element);
    return;
  }
  known = players;
  titles = games?.games ?? [];
  against = Number(new URLSearchParams(location.search).get('against')) || 0;
  show();
  await count();
}

void start();
