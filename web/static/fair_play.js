// The page of fair play: for each game a row of turns with a tick for each thing that happened, and bars with counts.

import { getJson } from './api.js';
import { byId, h, orShowError } from './dom.js';
import { dateTime } from './format.js';
import { symbolIcon } from './interventions.js';
import { barsOf, isCalm, playerOf, symbolOfMark } from './report_view.js';
import { locale, say } from './say.js';

function drawGame(game, place) {
  return h('section', { class: 'game', 'data-number': game.number },
    h(place ? 'h2' : 'h1', {}, game.game, h('span', { class: 'who' }, game.players.join(', '))),
    h('p', { class: 'when' }, dateTime(game.started)),
    isCalm(game) ? h('p', { class: 'calm' }, say('Nothing but play.')) : [drawTurns(game), drawBars(game), drawDevices(game)]);
}

const drawTurns = (game) =>
  h('ol', { class: 'turns', 'aria-label': say('Turn by turn') }, game.turns.map((turn, place) =>
    h('li', { class: turn.marks.length ? 'turn marked' : 'turn', title: say('Turn {number}: {name}', { number: place + 1, name: playerOf(game, turn) }) },
      h('span', { class: 'ticks' }, turn.marks.map((mark) => symbolIcon(symbolOfMark(mark), `tick ${mark}`))),
      h('span', { class: 'seat' }, playerOf(game, turn).slice(0, 2)))));

const drawBars = (game) =>
  h('dl', { class: 'bars' }, barsOf(game).map(({ mark, title, count, share, unit }) => {
    const bar = h('span', { class: 'bar' });
    bar.style.width = `${share}%`;
    return h('div', { 'data-mark': mark }, h('dt', {}, symbolIcon(symbolOfMark(mark)), title), h('dd', {}, bar, `${count.toLocaleString(locale)}${unit}`));
  }));

const drawDevices = ({ devices }) =>
  devices.length > 0 && h('ul', { class: 'devices', 'aria-label': say('By which device') }, devices.map(({ device, count }) => h('li', {}, device || say('A tablet without a name'), h('strong', {}, String(count)))));

async function show() {
  const report = await orShowError(getJson('/api/fair-play'));
  if (!report) return;
  byId('fair-play').classList.remove('waiting');
  byId('fair-play').replaceChildren(...(report.games.length ? report.games.map(drawGame) : [h('p', { class: 'calm' }, say('No game was played yet.'))]));
}

show();
