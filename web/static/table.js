// The table: a snapshot in, the page as it should look; a tap, a word to the desk.

import { tell } from './api.js';
import { areSheets, bring, drawBoards, inFront, inSight } from './boards.js';
import { openByHand } from './manual_entry.js';
import { showCheck } from './check_card.js';
import { drawDice } from './dice_panel.js';
import { byId, h, redraw, ruleTag } from './dom.js';
import { faceIcon, isFace } from './die_faces.js';
import { follow } from './events.js';
import { drawSeat, mayDecide, ownSeat } from './own_seat.js';
import { forgetSetup, goesOn, openSetup } from './setup.js';
import { confirm, freshen } from './dialog.js';
import { askAgain, askFirst, evidence as evidenceOf, forgetOld, openChances, openRow } from './table_dialogs.js';

const MOST_LINES = 4;
const MANY_DICE = 6;
const MOST_TIED = 6;
const LONG_FACT = 28;

let now = null;
let lineLost = false;

function show(snapshot) {
  if (snapshot.game?.name !== now?.game?.name) bring(0);
  now = snapshot;
  const state = snapshot.state;
  const over = Boolean(state && !state.to_act.length);
  byId('table').className = over ? 'over' : state ? 'playing' : 'idle';
  byId('table').classList.toggle('sheets', areSheets(snapshot.boards));
  byId('table').dataset.number = snapshot.number;
  byId('game-title').textContent = snapshot.game?.title ?? '';
  byId('undo').disabled = !snapshot.can_undo;
  const own = state ? ownSeat(state.players) : 0;
  const front = areSheets(snapshot.boards) ? inFront(snapshot.boards, own, state.to_act) : 0;
  redraw(byId('players'), state && { players: state.players, acting: state.to_act, winner: state.winner, own, front }, drawPlayers);
  redraw(byId('turn'), { state, tell: tellOf(snapshot), gained: snapshot.turn_points, extras: factsOf(snapshot), odds: snapshot.odds }, over ? drawWinner : drawTurn);
  redraw(byId('ruling'), rulingOf(snapshot), drawRuling);
  redraw(byId('offers'), offersOf(snapshot, own, front), drawOffers);
  redraw(byId('boards'), { boards: inSight(snapshot.boards, front), acting: state?.to_act ?? [], own, over, front }, (value) => drawBoards(value, tapRow));
  byId('dice').classList.toggle('many', snapshot.dice.length > MANY_DICE);
  redraw(byId('dice'), { dice: snapshot.dice, asked: snapshot.questions.map((question) => question.die) }, (value) => drawDice(value, take, stepNow));
  redraw(byId('last'), snapshot.last, drawLast);
  redraw(byId('seat'), state?.players ?? null, (players) => drawSeat(players, again));
  redraw(byId('stillness'), snapshot.extras.table ?? '', drawStillness);
  drawBanners();
  showCheck(snapshot);
  forgetOld(snapshot.dice);
  forgetSetup(snapshot);
  askFirst(snapshot, shown);
  freshen(snapshot.number);
}

/** The same snapshot, looked at by another seat. */
const again = () => show(now);

const tapRow = (row) => openRow(row, (offer) => tapped(offer));

/** A snapshot, which a newer one may have overtaken on its way. Numbers count within a run of Vander. */
function take(snapshot) {
  if (!now || snapshot.extras.run !== now.extras.run || snapshot.number > now.number) show(snapshot);
}

function shown(snapshot) {
  take(snapshot);
  drawBanners();
}

/** Do an action that was offered at that step of the game; what happened since then makes it old. */
const act = async (action, step) => {
  const snapshot = await tell('/api/act', { action, step });
  if (snapshot) take(snapshot);
};

const stepNow = () => now.extras.step ?? '';

function drawPlayers(value) {
  if (!value) return [];
  const { players, acting, winner, own, front } = value;
  const best = Math.max(...players.map((player) => player.score));
  return h('ol', { class: `players ${players.length > 8 ? 'many' : players.length > 4 ? 'several' : 'few'}`, 'data-count': players.length }, players.map((player) => {
    const active = acting.includes(player.seat);
    const won = winner.includes(player.seat);
    const near = player.seat === front;
    return h('li', { class: `player${active ? ' active' : ''}${won ? ' won' : ''}${near ? ' front' : ''}${player.seat === own ? ' own' : ''}`, 'data-seat': player.seat, 'aria-current': active && 'true' },
      h('span', { class: 'name' }, player.name),
      h('span', { class: player.score === best && best > 0 ? 'score best' : 'score' }, String(player.score)),
      front > 0 && players.length > 1 && h('button', { type: 'button', class: 'bring', 'data-key': `bring-${player.seat}`, 'aria-label': `Show ${possessive(player.name)} sheet`, 'aria-pressed': String(near), onclick: () => again(bring(player.seat)) }));
  }));
}

const possessive = (name) => `${name}’${/s$/i.test(name) ? '' : 's'}`;

/** What is to be done, unless a calm notice says it better: that of dice which are being parked, for one. */
const tellOf = ({ state, notice, mood }) => (mood === 'calm' && notice && notice !== state?.tell ? '' : state?.tell);

function drawTurn({ state, tell, gained, extras, odds }) {
  if (!state) return welcome();
  const title = heading(state);
  return [
    h('h1', { class: title.length > 18 && 'long' }, title),
    gained > 0 && h('p', { class: 'gained' }, h('strong', {}, String(gained)), h('span', {}, 'this turn')),
    tell && h('p', { class: 'tell' }, tell),
    odds && h('button', { type: 'button', class: 'quiet', id: 'chances', 'data-key': 'chances', onclick: openChances }, 'Chances'),
    facts(extras),
  ];
}

/** Whose turn it is, though another may come between; throwing for who begins is nobody's. */
function heading({ players, to_act: acting, lots, tell }) {
  const names = acting.map((seat) => players.find((player) => player.seat === seat).name);
  if (names.length === 1 || tell.startsWith(`${names[0]}:`)) return lots ? `${names[0]} throws` : `${possessive(names[0])} turn`;
  return names.length === players.length ? 'Everybody' : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

const SAID_ELSEWHERE = ['table', 'check', 'worries', 'power', 'woke', 'lent', 'step', 'run', 'by_hand'];

/** An empty fact says nothing; whether the table is quiet is said where it moves nothing, a check has its card. */
const factsOf = ({ extras }) => Object.fromEntries(Object.entries(extras).filter(([name, value]) => value && !SAID_ELSEWHERE.includes(name)));

const STILLNESS = { moving: 'The dice are moving', 'a hand is in it': 'A hand is in the tray' };

const drawStillness = (word) => STILLNESS[word] ?? [];

function facts(extras) {
  const entries = Object.entries(extras);
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
  const won = ({ seat }) => state.winner.includes(seat);
  const standing = [...state.players].sort((one, other) => won(other) - won(one) || other.score - one.score);
  const title = state.players.length === 1 || !names.length ? 'The game is over' : names.length === 1 ? `${names[0]} wins!` : `${names.slice(0, -1).join(', ')} and ${names.at(-1)} win!`;
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
  const photograph = evidence && evidenceOf(evidence, notice || 'What the camera saw');
  const happened = calls.length > 0 && h('ol', { class: 'calls' }, calls.map((call) => h('li', {}, call.sentence, ' ', ruleTag(call.rule))));
  return h('div', { class: `card ${mood}` }, said, photograph, happened);
}

/** What this tablet shows of the offers: its own seat's; else those of the player whose sheet is in front, or all. */
function offersOf({ offers, boards, state, extras, camera_trouble: lost }, own, front) {
  const seats = state?.to_act ?? [];
  const only = own || (seats.length > 1 ? front : 0);
  const near = offers.filter(({ player }) => !only || !player || player === only);
  const crowded = areSheets(boards) && near.filter(({ tied }) => tied).length > MOST_TIED;
  const mine = near.filter(({ tied }) => !(tied && crowded));
  const rows = boards.some(({ seat, rows: lines }) => (!only || !seat || seat === only) && lines.some(({ taps }) => taps));
  const more = rows && !mine.some(({ tied }) => tied);
  const names = Object.fromEntries(state?.players.map(({ seat, name }) => [seat, name]) ?? []);
  const others = own && seats.length && !seats.includes(own) ? seats.map((seat) => names[seat]) : [];
  return { offers: mine, awaited: state?.dice_awaited ?? [], names, several: seats.length > 1 && !own, others, more, byHand: extras.by_hand === 'open' && mayDecide() && (lost ? 'main' : 'quiet') };
}

function drawOffers({ offers, awaited, names, several, others, more, byHand }) {
  const throws = offers.filter((offer) => !offer.by_tap);
  const taps = offers.filter((offer) => offer.by_tap && !offer.grave);
  const grave = offers.filter((offer) => offer.by_tap && offer.grave);
  return [
    !offers.length && others.length > 0 && h('p', { class: 'none' }, `${others.join(', ')}: to act.`),
    throws.length > 0 && h('div', { class: 'throws' }, h('h2', {}, taps.length ? 'By hand' : 'Next, by hand'),
      titles(throws.slice(0, MOST_LINES)), blanks(awaited), furtherThrows(throws.slice(MOST_LINES)),
      byHand && h('button', { type: 'button', class: byHand, id: 'by-hand', 'data-key': 'by-hand', onclick: giveByHand }, 'Give the dice by hand')),
    more && h('p', { class: 'none more' }, 'Tap an underlined row below to do something with it.'),
    several ? groups(taps, names) : tapButtons(taps),
    grave.length > 0 && h('div', { class: 'taps last-resort' }, grave.map(tapButton)),
  ];
}

const tapButtons = (taps) => taps.length > 0 && h('div', { class: `taps${taps.length > 4 ? ' many' : ''}` }, taps.map(tapButton));

/** Where several may act at once, each player's buttons under the player's name. */
const groups = (taps, names) => [...new Set(taps.map(({ player }) => player))].map((seat) =>
  h('div', { class: 'group' }, h('h2', {}, names[seat]), tapButtons(taps.filter(({ player }) => player === seat))));

const titles = (offers) => h('ul', {}, offers.map((offer) => h('li', {}, offer.title)));

const furtherThrows = (offers) =>
  offers.length > 0 && h('details', {}, h('summary', {}, `and ${offers.length} more`), titles(offers));

const blanks = (awaited) => awaited.length > 0 && h('p', { class: 'awaited' }, awaited.map(({ title, count }) => h('span', {}, `${count} × ${title}`)));

const giveByHand = () => openByHand(now, now.state ? ownSeat(now.state.players) : 0, take);

/** A tap on what may be done; what is grave is asked a second time. */
function tapped(offer) {
  const step = stepNow();
  if (offer.grave) confirm(`${offer.title}?`, offer.means, offer.title, () => act(offer.action, step));
  else act(offer.action, step);
}

function tapButton(offer) {
  return h('button', { type: 'button', class: offer.grave ? 'grave' : 'main', 'data-key': offer.action, 'data-action': offer.action, onclick: () => tapped(offer) }, offer.title);
}

function drawLast(last) {
  if (!last.length) return [];
  return [h('h2', {}, 'What was done'), h('ol', {}, last.map((sentence) => h('li', {}, sentence)))];
}

function drawBanners() {
  const { woke = '', worries = '' } = now?.extras ?? {};
  const said = { lost: lineLost, trouble: now?.camera_trouble ?? '', asks: laidAside(), woke, worries: worries.split('\n').filter(Boolean) };
  redraw(byId('banners'), said, ({ lost, trouble, asks, woke, worries }) => [
    lost && h('p', { class: 'banner lost', id: 'line-lost' }, h('strong', {}, 'The table does not answer.'), ' What you see may be old. Trying again …'),
    trouble && h('p', { class: 'banner trouble', id: 'camera-trouble' }, h('strong', {}, 'Camera: '), trouble),
    woke && h('p', { class: 'banner woke', id: 'woke' }, woke),
    worries.map((worry) => h('p', { class: 'banner worry' }, worry)),
    asks && h('button', { type: 'button', class: 'banner asks', id: 'ask-again', onclick: () => { askAgain(now, shown); drawBanners(); } }, h('strong', {}, 'A question is waiting: '), asks),
  ]);
}

const laidAside = () => (now?.questions.length && !byId('question').open ? now.questions[0].sentence : '');

function takeBack() {
  const { waits } = now.extras;
  const detail = waits ? `It still waits: ${waits}.` : now.last[0] ? `Last: ${now.last[0]}` : '';
  const step = stepNow();
  confirm('Take back the last step?', detail, 'Take back', async () => {
    const snapshot = await tell('/api/undo', { step });
    if (snapshot) take(snapshot);
  });
}

const setUp = () => now && openSetup(now.game?.name, goesOn(now), take);

byId('undo').addEventListener('click', takeBack);
byId('new-game').addEventListener('click', setUp);
byId('question').addEventListener('close', drawBanners);
follow(take, (lost) => {
  lineLost = lost;
  document.body.classList.toggle('line-lost', lost);
  drawBanners();
}, (slept) => {
  for (const part of [byId('table'), byId('sheet'), byId('setup'), byId('question')]) part.inert = slept; // what they offer may be old
  document.body.classList.toggle('waking', slept);
});
