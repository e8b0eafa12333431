// A table of the hall as it is watched: players, boards, the last throw, what the referee said, and its past games.

import { AnswerOrder, getJson } from '../api.js';
import { BoardDie } from '../boards/board_parts.js';
import { renderBoards, renderPlayers } from '../boards/boards.js';
import { FailedRequest, askFor } from '../components.js';
import { byId } from '../dom.js';
import { html, render } from '../html.js';
import { say } from '../say.js';
import { boardsView, hasSheets, isOver, seatInFront, turnTitle, winnerTitle } from '../table_view.js';
import { followHall } from './hall_feed.js';
import { EndedGame, TroubleSigns, outcomeWords, troubleWords } from './hall_parts.js';

const number = Number(byId('watched').dataset.number);
const order = new AnswerOrder();
let current = null;
let games = null;
let chosenSeat = 0;
let failure = null;
let isLost = false;
let hasEnded = null;

/** The hall has no pictures of a table's dice: they are drawn. */
const NO_PICTURES = '';
/** The boards are watched: nothing is tapped on them. */
const UNTOUCHED = { onRow: () => {}, onOffer: () => {} };

function Dice({ dice, kinds }) {
  const look = { kinds: new Map(kinds.map((kind) => [kind.kind, kind])), dieSet: NO_PICTURES };
  return dice.length > 0 && html`<p class="thrown" aria-label=${say('The last throw')}>${dice.map((die, place) => html`<${BoardDie} key=${place} die=${die} look=${look} />`)}</p>`;
}

function headingOf(state, game) {
  if (!state) return say('Nobody plays');
  if (isOver(state)) return winnerTitle(state);
  return game.is_over ? outcomeWords(game) : turnTitle(state);
}

function State() {
  const { table, snapshot, dice, hint } = current;
  const { state, game } = snapshot;
  const isGoing = Boolean(state) && !isOver(state) && !table.game.is_over;
  const troubles = [...table.troubles.map((trouble) => (trouble === 'quarantined' && table.reason) || (trouble === 'refused' && table.game?.refused) || troubleWords(trouble)), hint.camera, hint.box].filter(Boolean);
  return html`${isLost && html`<p class="problem">${say('The hall does not answer.')}</p>`}
    ${failure && html`<${FailedRequest} error=${failure} again=${refresh} />`}
    <p class="game-name">${table.game?.title ?? ''} <em>${say('Watch only')}</em></p>
    <h2>${headingOf(state, table.game)}</h2>
    ${isGoing && html`<p class="prompt">${snapshot.notice}</p>`}
    ${isGoing && snapshot.turn_points > 0 && html`<p class="gained"><strong>${snapshot.turn_points}</strong> <span>${say('this turn')}</span></p>`}
    <${Dice} dice=${dice} kinds=${game?.kinds ?? []} />
    ${troubles.length > 0 && html`<ul class="troubles">${troubles.map((sentence) => html`<li>${sentence}</li>`)}</ul>`}`;
}

const Said = () => html`<h2>${say('Rulings')}</h2>
  ${current.rulings.length ? html`<ol class="said-list">${current.rulings.map((step) => html`<li key=${step.entry}>${step.calls.map(({ sentence }) => html`<p>${sentence}</p>`)}</li>`)}</ol>` : html`<p class="none">${say('No throw was ruled on yet.')}</p>`}`;

const Games = () => html`<h2>${say('Past games of this table')}</h2>
  ${games?.length ? html`<ol class="hall-games">${games.map((game) => html`<${EndedGame} key=${game.number} game=${game} />`)}</ol>` : html`<p class="none">${say('No game has ended at this table yet.')}</p>`}`;

function show() {
  if (!current && !failure) return;
  byId('watched').classList.remove('waiting');
  if (!current) {
    render(failure && html`<${FailedRequest} error=${failure} again=${refresh} />`, byId('state'));
    return;
  }
  const { table, snapshot } = current;
  const { state, boards } = snapshot;
  render(html`<span>${table.name}</span><${TroubleSigns} troubles=${table.troubles} />`, byId('table-name'));
  document.title = `${table.name} – Vander`;
  byId('watched').dataset.stage = state ? 'playing' : 'quiet';
  const front = state ? seatInFront(boards, chosenSeat, 0, isOver(state) ? state.winner : state.to_act) : 0;
  const viewed = boardsView(snapshot, { own: 0, front: hasSheets(boards) ? front : 0, over: isOver(state), mayDecide: false });
  const shown = { ...viewed, dieSet: NO_PICTURES };
  renderPlayers(byId('players'), { players: state?.players ?? [], acting: state?.to_act ?? [], winner: state?.winner ?? [], own: 0, front: hasSheets(boards) ? front : 0, boards: { ...shown, boards } }, bringToFront);
  renderBoards(byId('boards'), shown, UNTOUCHED);
  render(html`<${State} />`, byId('state'));
  render(state && html`<${Said} />`, byId('said'));
  render(html`<${Games} />`, byId('games'));
}

function bringToFront(seat) {
  chosenSeat = chosenSeat === seat ? 0 : seat;
  show();
}

async function refresh() {
  const asked = await order.look(askFor(getJson(`/api/hall/tables/${number}`)));
  if (!asked) return;
  failure = asked.error;
  const [found] = asked.answers;
  if (found && found.snapshot.state?.on_turn !== current?.snapshot.state?.on_turn) chosenSeat = 0;
  current = found ?? current;
  show();
  const ended = `${current?.table.game?.number} ${current?.table.game?.is_over}`;
  if (found && ended !== hasEnded) void refreshGames(ended);
}

async function refreshGames(ended) {
  const { answers: [found] } = await askFor(getJson(`/api/hall/tables/${number}/games?most=20`));
  if (!found) return;
  hasEnded = ended;
  games = found.games;
  show();
}

followHall({
  onTables: (tables, changed) => (changed.has(number) || !tables.has(number)) && void refresh(),
  onLost: (lost) => {
    isLost = lost;
    show();
  },
});
