// The table page: draws each snapshot, and sends taps to the API.

import { postJson } from './api.js';
import { boardsToShow, hasSheets, seatInFront } from './board_layout.js';
import { drawBoards } from './boards.js';
import { showCheck } from './check_card.js';
import { isNewer, stampOf } from './connection.js';
import { confirmDialog, refreshDialog } from './dialog.js';
import { drawDice } from './dice_panel.js';
import { faceIcon, hasDrawing } from './die_faces.js';
import { byId, h, redraw, ruleTag } from './dom.js';
import { followTable } from './events.js';
import { possessive } from './format.js';
import { openManualEntry } from './manual_entry.js';
import { askedDice } from './question_view.js';
import { onQuestionClose, reopenQuestion, showQuestion, waitingQuestion } from './questions.js';
import { closeStaleSetup, openSetup } from './setup.js';
import { closeStaleCorrection, drawEvidence, openAgreements, openChances, openRow } from './table_dialogs.js';
import { factsView, groupOffers, isOver, offersView, promptView, rulingView, standings, turnTitle, winnerTitle } from './table_view.js';
import { orShowError } from './toast.js';
import { drawOwnSeat, mayDecide, ownSeat } from './viewer.js';

const MOST_THROWS = 4;
const MANY_DICE = 6;
const MANY_TAPS = 4;
const SEVERAL_PLAYERS = 4;
const MANY_PLAYERS = 8;
const LONG_TITLE = 18;
const LONG_FACT = 28;

/** The snapshot that is shown. */
let current = null;
let isLost = false;
/** The seat whose game sheet was brought to the front; 0 for none. */
let chosenSeat = 0;

function show(snapshot) {
  if (snapshot.game?.name !== current?.game?.name) chosenSeat = 0;
  current = snapshot;
  const { state, boards, dice } = snapshot;
  const over = isOver(state);
  const sheets = hasSheets(boards);
  const own = state ? ownSeat(state.players) : 0;
  const front = sheets ? seatInFront(boards, chosenSeat, own, state.to_act) : 0;
  byId('table').className = over ? 'over' : state ? 'playing' : 'idle';
  byId('table').classList.toggle('sheets', sheets);
  byId('table').dataset.number = snapshot.number;
  byId('game-title').textContent = snapshot.game?.title ?? '';
  byId('undo').disabled = !snapshot.can_undo;
  byId('agree').hidden = !state || (over && !snapshot.can_undo);
  byId('dice').classList.toggle('many', dice.length > MANY_DICE);
  redraw(byId('players'), state && { players: state.players, acting: state.to_act, winner: state.winner, own, front }, drawPlayers);
  redraw(byId('turn'), { state, prompt: promptView(snapshot), gained: snapshot.turn_points, facts: factsView(snapshot), odds: snapshot.odds }, over ? drawWinner : drawTurn);
  redraw(byId('ruling'), rulingView(snapshot), drawRuling);
  redraw(byId('offers'), offersView(snapshot, { own, front, mayDecide: mayDecide() }), drawOffers);
  redraw(byId('boards'), { boards: boardsToShow(boards, front), acting: state?.to_act ?? [], own, over, front }, (view) => drawBoards(view, onRowTap));
  redraw(byId('dice'), { dice, asked: askedDice(snapshot.questions) }, (view) => drawDice(view, showIfNewer, currentStep));
  redraw(byId('last'), snapshot.last, drawHistory);
  redraw(byId('seat'), state?.players ?? null, (players) => drawOwnSeat(players, showAgain));
  redraw(byId('stillness'), snapshot.extras.table ?? '', drawMotion);
  drawBanners();
  showCheck(snapshot);
  closeStaleCorrection(dice);
  closeStaleSetup(snapshot);
  showQuestion(snapshot, onAnswered);
  refreshDialog(snapshot.number);
}

const showAgain = () => show(current);

/** Show the snapshot that answers a tap, unless the stream has brought a newer one. */
function showIfNewer(snapshot) {
  if (!current || isNewer(stampOf(snapshot), stampOf(current))) show(snapshot);
}

function onAnswered(snapshot) {
  showIfNewer(snapshot);
  drawBanners();
}

/** The step of the game that is shown: the API refuses what was offered at another one. */
const currentStep = () => current.extras.step ?? '';

async function play(action, step) {
  const snapshot = await orShowError(postJson('/api/act', { action, step }));
  if (snapshot) showIfNewer(snapshot);
}

/* Players and turn */

function drawPlayers(view) {
  if (!view) return [];
  const { players, acting, winner, own, front } = view;
  const best = Math.max(...players.filter(({ left }) => !left).map(({ score }) => score));
  const size = players.length > MANY_PLAYERS ? 'many' : players.length > SEVERAL_PLAYERS ? 'several' : 'few';
  return h('ol', { class: `players ${size}`, 'data-count': players.length }, players.map(({ seat, name, score, left }) => {
    const isActing = acting.includes(seat);
    const isInFront = seat === front;
    const classes = ['player', isActing && 'active', winner.includes(seat) && 'won', isInFront && 'front', seat === own && 'own', left && 'gone'];
    return h('li', { class: classes.filter(Boolean).join(' '), 'data-seat': seat, 'aria-current': isActing && 'true' },
      h('span', { class: 'name' }, name, left && h('em', {}, ' left')),
      h('span', { class: score === best && best > 0 && !left ? 'score best' : 'score' }, String(score)),
      front > 0 && players.length > 1 && h('button', { type: 'button', class: 'bring-to-front', 'data-key': `front-${seat}`, 'aria-label': `Show ${possessive(name)} sheet`, 'aria-pressed': String(isInFront), onclick: () => bringToFront(seat) }));
  }));
}

function bringToFront(seat) {
  chosenSeat = seat;
  showAgain();
}

function drawTurn({ state, prompt, gained, facts, odds }) {
  if (!state) return drawWelcome();
  const title = turnTitle(state);
  return [
    h('h1', { class: title.length > LONG_TITLE && 'long' }, title),
    gained > 0 && h('p', { class: 'gained' }, h('strong', {}, String(gained)), h('span', {}, 'this turn')),
    prompt && h('p', { class: 'prompt' }, prompt),
    odds && h('button', { type: 'button', class: 'quiet', id: 'chances', 'data-key': 'chances', onclick: openChances }, 'Chances'),
    drawFacts(Object.entries(facts)),
  ];
}

function drawFacts(facts) {
  return facts.length > 0 && h('dl', { class: 'facts' }, facts.map(([name, value]) => {
    const face = value.toLowerCase();
    return h('div', { class: value.length > LONG_FACT && 'long' }, h('dt', {}, name), h('dd', {}, hasDrawing(face) && faceIcon(face), value));
  }));
}

const MOTION = { moving: 'The dice are moving', 'a hand is in it': 'A hand is in the tray' };

const drawMotion = (motion) => MOTION[motion] ?? [];

function drawWelcome() {
  return h('div', { class: 'welcome' },
    h('h1', {}, 'Who plays?'),
    h('p', { class: 'prompt' }, 'Set up a game, then throw the dice. The referee reads them.'),
    h('button', { type: 'button', class: 'main', id: 'first-game', onclick: setUp }, 'Set up a game'));
}

function drawWinner({ state }) {
  return h('div', { class: 'winner' },
    h('h1', {}, winnerTitle(state)),
    h('p', { class: 'prompt' }, state.tell),
    h('ol', { class: 'standing' }, standings(state).map(({ seat, name, score }) =>
      h('li', { class: state.winner.includes(seat) && 'won' }, h('span', {}, name), h('strong', {}, String(score))))),
    h('button', { type: 'button', class: 'main', id: 'again', onclick: setUp }, 'Play again'));
}

/* Ruling and history */

function drawRuling({ calls, notice, mood, rule, evidence }) {
  if (!calls.length && !notice) return [];
  return h('div', { class: `card ${mood}` },
    notice && h('p', { class: 'notice' }, notice, ' ', ruleTag(rule)),
    evidence && drawEvidence(evidence, notice || 'What the camera saw'),
    calls.length > 0 && h('ol', { class: 'calls' }, calls.map((call) => h('li', {}, call.sentence, ' ', ruleTag(call.rule)))));
}

function drawHistory(sentences) {
  if (!sentences.length) return [];
  return [h('h2', {}, 'What was done'), h('ol', {}, sentences.map((sentence) => h('li', {}, sentence)))];
}

/* Offers */

function drawOffers({ offers, awaited, names, bySeat, others, pointToRows, manualEntry }) {
  const { throws, taps, grave } = groupOffers(offers);
  return [
    !offers.length && others.length > 0 && h('p', { class: 'none' }, `${others.join(', ')}: to act.`),
    throws.length > 0 && drawThrows(throws, awaited, taps.length > 0, manualEntry),
    pointToRows && h('p', { class: 'none more' }, 'Tap an underlined row below to do something with it.'),
    bySeat ? drawTapsBySeat(taps, names) : drawTaps(taps),
    grave.length > 0 && h('div', { class: 'taps last-resort' }, grave.map(drawTap)),
  ];
}

const drawThrows = (throws, awaited, besideTaps, manualEntry) => h('div', { class: 'throws' },
  h('h2', {}, besideTaps ? 'By hand' : 'Next, by hand'),
  drawTitles(throws.slice(0, MOST_THROWS)), drawAwaited(awaited), drawFurther(throws.slice(MOST_THROWS)),
  manualEntry && h('button', { type: 'button', class: manualEntry, id: 'manual-entry', 'data-key': 'manual-entry', onclick: enterThrow }, 'Give the dice by hand'));

const drawTitles = (offers) => h('ul', {}, offers.map((offer) => h('li', {}, offer.title)));

const drawFurther = (offers) =>
  offers.length > 0 && h('details', {}, h('summary', {}, `and ${offers.length} more`), drawTitles(offers));

const drawAwaited = (awaited) => awaited.length > 0 && h('p', { class: 'awaited' }, awaited.map(({ title, count }) => h('span', {}, `${count} × ${title}`)));

const drawTaps = (taps) => taps.length > 0 && h('div', { class: `taps${taps.length > MANY_TAPS ? ' many' : ''}` }, taps.map(drawTap));

/** Where several may act at once, each player's buttons under the player's name. */
const drawTapsBySeat = (taps, names) => [...new Set(taps.map(({ player }) => player))].map((seat) =>
  h('div', { class: 'group' }, h('h2', {}, names[seat]), drawTaps(taps.filter(({ player }) => player === seat))));

function drawTap(offer) {
  return h('button', { type: 'button', class: offer.grave ? 'grave' : 'main', 'data-key': offer.action, 'data-action': offer.action, onclick: () => onOfferTap(offer) }, offer.title);
}

/** Play an offer; a grave one is confirmed first. */
function onOfferTap(offer) {
  const step = currentStep();
  if (offer.grave) confirmDialog(`${offer.title}?`, offer.means, offer.title, () => play(offer.action, step));
  else play(offer.action, step);
}

const onRowTap = (row) => openRow(row, onOfferTap);

const enterThrow = () => openManualEntry(current, current.state ? ownSeat(current.state.players) : 0, showIfNewer);

/* Banners and the header's buttons */

function drawBanners() {
  const { woke = '', worries = '' } = current?.extras ?? {};
  const view = { isLost, trouble: current?.camera_trouble ?? '', question: waitingQuestion(current), woke, worries: worries.split('\n').filter(Boolean) };
  redraw(byId('banners'), view, ({ trouble, question }) => [
    isLost && h('p', { class: 'banner lost', id: 'line-lost' }, h('strong', {}, 'The table does not answer.'), ' What you see may be old. Trying again …'),
    trouble && h('p', { class: 'banner trouble', id: 'camera-trouble' }, h('strong', {}, 'Camera: '), trouble),
    woke && h('p', { class: 'banner restarted', id: 'restarted' }, woke),
    view.worries.map((worry) => h('p', { class: 'banner worry' }, worry)),
    question && h('button', { type: 'button', class: 'banner asks', id: 'ask-again', onclick: askAgain }, h('strong', {}, 'A question is waiting: '), question),
  ]);
}

function askAgain() {
  reopenQuestion(current, onAnswered);
  drawBanners();
}

function confirmUndo() {
  const { waits } = current.extras;
  const detail = waits ? `It still waits: ${waits}.` : current.last[0] ? `Last: ${current.last[0]}` : '';
  const step = currentStep();
  confirmDialog('Take back the last step?', detail, 'Take back', async () => {
    const snapshot = await orShowError(postJson('/api/undo', { step }));
    if (snapshot) showIfNewer(snapshot);
  });
}

/** Ask what the table has agreed on where the rules are silent. */
function agree() {
  const step = currentStep();
  openAgreements(onOfferTap, (lastThrow) => confirmDialog('This throw does not count?', lastThrow, 'Does not count', async () => {
    const snapshot = await orShowError(postJson('/api/void', { step }));
    if (snapshot) showIfNewer(snapshot);
  }));
}

const setUp = () => current && openSetup(current, showIfNewer);

byId('undo').addEventListener('click', confirmUndo);
byId('agree').addEventListener('click', agree);
byId('new-game').addEventListener('click', setUp);
onQuestionClose(drawBanners);
followTable({
  onSnapshot: showIfNewer,
  onLost: (lost) => {
    isLost = lost;
    document.body.classList.toggle('line-lost', lost);
    drawBanners();
  },
  onSlept: (slept) => {
    for (const part of ['table', 'dialog', 'setup', 'question']) byId(part).inert = slept; // what they offer may be old
    document.body.classList.toggle('waking', slept);
  },
});
