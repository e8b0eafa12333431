// The table: a snapshot in, the page as it should look; a tap, a word to the desk.

import { tell } from './ask.js';
import { drawDice } from './dice.js';
import { byId, h, picture, redraw, ruleTag } from './elements.js';
import { faceIcon, isFace } from './faces.js';
import { follow } from './live.js';
import { openSetup } from './setup.js';
import { askAgain, askFirst, confirm, enlarge, forgetMissing } from './sheets.js';

const MOST_LINES = 4;
const LONG_FACT = 28;

let now = null;
let lineLost = false;

function show(snapshot) {
  now = snapshot;
  const state = snapshot.state;
  const over = Boolean(state?.winner.length);
  byId('table').className = over ? 'over' : state ? 'playing' : 'idle';
  byId('table').dataset.number = snapshot.number;
  byId('game-title').textContent = snapshot.game?.title ?? '';
  byId('undo').disabled = !snapshot.can_undo;
  redraw(byId('players'), state && { players: state.players, acting: state.to_act, winner: state.winner }, drawPlayers);
  redraw(byId('turn'), { state, tell: tellOf(snapshot), gained: snapshot.turn_points, extras: snapshot.extras }, over ? drawWinner : drawTurn);
  redraw(byId('ruling'), rulingOf(snapshot), drawRuling);
  redraw(byId('offers'), { offers: snapshot.offers, awaited: state?.dice_awaited ?? [] }, drawOffers);
  redraw(byId('dice'), { dice: snapshot.dice, asked: snapshot.questions.map((question) => question.die) }, (value) => drawDice(value, take));
  redraw(byId('last'), snapshot.last, drawLast);
  drawBanners();
  forgetMissing(snapshot.dice);
  askFirst(snapshot, shown);
}

/** The answer to a tap: a snapshot that may have been overtaken by a live one. */
function take(snapshot) {
  if (!now || snapshot.number > now.number) show(snapshot);
}

function shown(snapshot) {
  take(snapshot);
  drawBanners();
}

const act = async (action) => {
  const snapshot = await tell('/api/act', { action });
  if (snapshot) take(snapshot);
};

function drawPlayers(value) {
  if (!value) return [];
  const { players, acting, winner } = value;
  const best = Math.max(...players.map((player) => player.score));
  return h('ol', { class: 'players', 'data-count': players.length }, players.map((player) => {
    const active = acting.includes(player.seat);
    const won = winner.includes(player.seat);
    return h('li', { class: `player${active ? ' active' : ''}${won ? ' won' : ''}`, 'data-seat': player.seat, 'aria-current': active && 'true' },
      h('span', { class: 'name' }, player.name),
      h('span', { class: player.score === best && best > 0 ? 'score best' : 'score' }, String(player.score)));
  }));
}

const possessive = (name) => `${name}’${/s$/i.test(name) ? '' : 's'}`;

/** What is to be done, unless a calm notice says it better: that of dice which are being parked, for one. */
const tellOf = ({ state, notice, mood }) => (mood === 'calm' && notice && notice !== state?.tell ? '' : state?.tell);

function drawTurn({ state, tell, gained, extras }) {
  if (!state) return welcome();
  const acting = state.players.filter((player) => state.to_act.includes(player.seat));
  const title = acting.length === 1 ? `${possessive(acting[0].name)} turn` : acting.map((player) => player.name).join(', ');
  return [
    h('h1', { class: title.length > 18 && 'long' }, title),
    gained > 0 && h('p', { class: 'gained' }, h('strong', {}, String(gained)), h('span', {}, 'this turn')),
    tell && h('p', { class: 'tell' }, tell),
    facts(extras),
  ];
}

function facts(extras) {
  // An empty fact says nothing, and that the table is quiet is plain to see.
  const entries = Object.entries(extras).filter(([, value]) => value && value !== 'quiet');
  if (!entries.length) return null;
  return h('dl', { class: 'facts' }, entries.map(([name, value]) =>
    h('div', { class: value.length > LONG_FACT && 'long' }, h('dt', {}, name), h('dd', {}, isFace(value.toLowerCase()) && faceIcon(value.toLowerCase()), value))));
}

function welcome() {
  return h('div', { class: 'welcome' },
    h('h1', {}, 'Who plays?'),
    h('p', { class: 'tell' }, 'Set up a game, then throw the dice. The referee reads them.'),
    h('button', { type: 'button', class: 'main', id: 'first-game', onclick: () => setUp() }, 'Set up a game'));
}

function drawWinner({ state }) {
  const names = state.players.filter((player) => state.winner.includes(player.seat)).map((player) => player.name);
  const standing = [...state.players].sort((one, other) => other.score - one.score);
  const solo = state.players.length === 1;
  const title = solo ? 'The game is over' : names.length === 1 ? `${names[0]} wins!` : `${names.slice(0, -1).join(', ')} and ${names.at(-1)} win!`;
  return h('div', { class: 'winner' },
    h('h1', {}, title),
    h('p', { class: 'tell' }, state.tell),
    h('ol', { class: 'standing' }, standing.map((player) =>
      h('li', { class: state.winner.includes(player.seat) && 'won' }, h('span', {}, player.name), h('strong', {}, String(player.score))))),
    h('button', { type: 'button', class: 'main', id: 'again', onclick: () => setUp() }, 'Play again'));
}

function rulingOf({ calls, notice, mood, rule, evidence, state }) {
  return { calls, notice: notice === state?.tell ? '' : notice, mood, rule, evidence };
}

function drawRuling({ calls, notice, mood, rule, evidence }) {
  if (!calls.length && !notice) return [];
  const said = notice && h('p', { class: 'notice' }, notice, ' ', ruleTag(rule));
  const photograph = evidence && h('button', { type: 'button', class: 'evidence', 'data-key': 'evidence', 'aria-label': 'Enlarge the picture', onclick: () => enlarge(evidence, notice || 'What the camera saw') },
    h('img', { src: picture(evidence), alt: 'What the camera saw' }));
  const happened = calls.length > 0 && h('ol', { class: 'calls' }, calls.map((call) => h('li', {}, call.sentence, ' ', ruleTag(call.rule))));
  return h('div', { class: `card ${mood}` }, said, photograph, happened);
}

function drawOffers({ offers, awaited }) {
  const throws = offers.filter((offer) => !offer.by_tap);
  const taps = offers.filter((offer) => offer.by_tap && !offer.grave);
  const grave = offers.filter((offer) => offer.by_tap && offer.grave);
  return [
    throws.length > 0 && h('div', { class: 'throws' }, h('h2', {}, taps.length ? 'By hand' : 'Next, by hand'),
      titles(throws.slice(0, MOST_LINES)), blanks(awaited), furtherThrows(throws.slice(MOST_LINES))),
    taps.length > 0 && h('div', { class: `taps${taps.length > 4 ? ' many' : ''}` }, taps.map(tapButton)),
    grave.length > 0 && h('div', { class: 'taps last-resort' }, grave.map(tapButton)),
  ];
}

const titles = (offers) => h('ul', {}, offers.map((offer) => h('li', {}, offer.title)));

const furtherThrows = (offers) =>
  offers.length > 0 && h('details', {}, h('summary', {}, `and ${offers.length} more`), titles(offers));

const blanks = (awaited) => awaited.length > 0 && h('p', { class: 'awaited' }, awaited.map(({ title, count }) => h('span', {}, `${count} × ${title}`)));

function tapButton(offer) {
  const tap = () => (offer.grave ? confirm(`${offer.title}?`, 'The turn ends at once, with nothing.', offer.title, () => act(offer.action)) : act(offer.action));
  return h('button', { type: 'button', class: offer.grave ? 'grave' : 'main', 'data-key': offer.action, 'data-action': offer.action, onclick: tap }, offer.title);
}

function drawLast(last) {
  if (!last.length) return [];
  return [h('h2', {}, 'What was done'), h('ol', {}, last.map((sentence) => h('li', {}, sentence)))];
}

function drawBanners() {
  redraw(byId('banners'), { lost: lineLost, trouble: now?.camera_trouble ?? '', asks: laidAside() }, ({ lost, trouble, asks }) => [
    lost && h('p', { class: 'banner lost', id: 'line-lost' }, h('strong', {}, 'The table does not answer.'), ' What you see may be old. Trying again …'),
    trouble && h('p', { class: 'banner trouble', id: 'camera-trouble' }, h('strong', {}, 'Camera: '), trouble),
    asks && h('button', { type: 'button', class: 'banner asks', id: 'ask-again', onclick: () => { askAgain(now, shown); drawBanners(); } }, h('strong', {}, 'A question is waiting: '), asks),
  ]);
}

const laidAside = () => (now?.questions.length && !byId('question').open ? now.questions[0].sentence : '');

function takeBack() {
  const detail = now.last[0] ? `Last: ${now.last[0]}` : '';
  confirm('Take back the last step?', detail, 'Take back', async () => {
    const snapshot = await tell('/api/undo');
    if (snapshot) take(snapshot);
  });
}

const setUp = () => openSetup(Boolean(now?.state && !now.state.winner.length), take);

byId('undo').addEventListener('click', takeBack);
byId('new-game').addEventListener('click', setUp);
byId('question').addEventListener('close', drawBanners);
follow(show, (lost) => {
  lineLost = lost;
  document.body.classList.toggle('line-lost', lost);
  drawBanners();
});
