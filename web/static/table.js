// The table page: shows each snapshot section by section, and sends taps to the API.

import { PLAIN_DICE, postJson } from './api.js';
import { drawBanners, drawHistory, flashNewest, followHall, invitation, isOfHall, prepareDrawer } from './banners.js';
import { renderBoards, renderPlayers } from './boards/boards.js';
import { confirmDialog, refreshDialog } from './dialog.js';
import { drawDice, prepareCorrectMode, showCorrectMode, sizeDice } from './dice_panel.js';
import { keepScreenOn } from './display.js';
import { byId, orShowError, redraw, toast } from './dom.js';
import { followTable, gameNumber, isNewer, publish, stampOf } from './events.js';
import { fit } from './fit.js';
import { drawInterventions, shownLines } from './interventions.js';
import { caller, manualEntry, questions, setup, tableCards, tableDialogs } from './late.js';
import { forgetMoments, rememberMoments, showMoment } from './moments.js';
import { drawRuling, openHowToPlay, rulingShown } from './ruling.js';
import { say } from './say.js';
import { bannersView, boardsView, factsView, hasSheets, isFilled, isOver, offersView, otherGame, promptView, seatInFront } from './table_view.js';
import { drawFacts, drawManualEntry, drawMotion, drawOffers, drawTurn, drawWinner } from './turn.js';
import { CALLER_LEVEL, TRAY_DRAWER, drawOwnSeat, load, mayDecide, ownSeat, store } from './viewer.js';

/* The caller, which is loaded once somebody has let it speak on this tablet */

byId('caller').addEventListener('click', () => caller.use(({ openCaller }) => orShowError(openCaller())));
if ((load('localStorage', CALLER_LEVEL) ?? 'off') !== 'off') caller.use(() => null);

/* The far view: scores and dice for a television or a tablet on the shelf, without buttons. It is kept until it is left */

const VIEW_KEY = 'vander.view';
const FAR = 'far';

let isFar = new URLSearchParams(location.search).get('view') === FAR || load('localStorage', VIEW_KEY) === FAR;

/** Show the near or the far view, and keep it. */
function setFar(on) {
  isFar = on;
  store('localStorage', VIEW_KEY, on ? FAR : null);
  history.replaceState(null, '', on ? `?view=${FAR}` : location.pathname);
  applyFar();
  showAgain();
}

function applyFar() {
  document.body.classList.toggle('far', isFar);
  byId('near').hidden = !isFar;
}

/* The page */

/** How small a part is drawn at least, to fit its place; what is tapped stays as large as a finger. */
const SMALLEST = 0.5;
const SMALLEST_TAPPED = 0.76;
const SMALLEST_ROWS = 0.92;
const SMALLEST_PROMPT = 0.72;
/** A ruling that would be drawn smaller leaves out the calls before the last. */
const LEGIBLE = 0.8;
/** The end of the address by which the first steps lead to the choice of a game. */
const FIRST_GAME = '#new-game';

/** The snapshot that is shown. */
let current = null;
let isLost = false;
let hasSlept = false;
/** True after a tap on New game before there was anything to show. */
let isSetUpWanted = false;
/** The seat whose game sheet was brought to the front; 0 for none. */
let chosenSeat = 0;
let isFitDue = false;

function show(snapshot) {
  const isFirst = current === null;
  if (isAnotherTurn(snapshot)) chosenSeat = 0;
  if (!isFirst) tellOfOtherGame(snapshot);
  current = snapshot;
  const { state, boards, dice, game } = snapshot;
  const own = state ? ownSeat(state.players) : 0;
  const front = state ? seatInFront(boards, chosenSeat, own, isOver(state) ? state.winner : state.to_act) : 0;
  const shownBoards = boardsView(snapshot, { own, front, over: isOver(state), mayDecide: mayDecide() });
  showFrame(snapshot);
  renderPlayers(byId('players'), { players: state?.players ?? [], acting: state?.to_act ?? [], winner: state?.winner ?? [], own, front, boards: { ...shownBoards, boards } }, bringToFront);
  showTurn(snapshot);
  redraw(byId('facts'), factsView(snapshot), drawFacts);
  redraw(byId('ruling'), rulingShown(snapshot), drawRuling);
  redraw(byId('interventions'), shownLines(snapshot.interventions), drawInterventions);
  flashNewest(snapshot.interventions, gameNumber(currentStep()));
  const offered = offersView(snapshot, { own, front: hasSheets(boards) ? front : 0, shown: front, mayDecide: mayDecide() });
  redraw(byId('offers'), offered, (view) => drawOffers(view, { tap: onOfferTap, enterThrow }));
  redraw(byId('manual-place'), offered.manualEntry, (manner) => manner === 'main' && drawManualEntry(manner, enterThrow));
  renderBoards(byId('boards'), shownBoards, { onRow: onRowTap, onOffer: onOfferTap });
  redraw(byId('dice'), { dice, awaited: state?.dice_awaited ?? [], asked: snapshot.questions.flatMap((question) => question.dice), kinds: game?.kinds ?? [] }, (view) => drawDice(view, showIfNewer, currentStep));
  redraw(byId('last'), { sentences: snapshot.last, throws: snapshot.last_throws }, (view) => drawHistory(view, showIfNewer));
  redraw(byId('seat'), state?.players ?? null, (players) => drawOwnSeat(players, showAgain));
  redraw(byId('stillness'), snapshot.extras.table ?? '', drawMotion);
  showBanners();
  keepScreenOn(Boolean(state) && !isOver(state));
  showCards(snapshot);
  fitSoon();
  tableDialogs.loaded?.closeStaleCorrection(dice);
  setup.loaded?.closeStaleSetup(snapshot);
  if (!isFar) showQuestions();
  refreshDialog(snapshot.number);
  showMoment(snapshot);
  publish(snapshot);
  showCorrectMode(snapshot);
  if (isSetUpWanted) setUp();
}

/** Show the cards that ask something next to the game; they are loaded when there is something to ask. */
function showCards({ extras, unconfirmed }) {
  if (extras.check || unconfirmed || tableCards.loaded) tableCards.use(({ showCheck, showUnconfirmed }) => {
    showCheck(current);
    showUnconfirmed(current.unconfirmed, showIfNewer);
    fit(byId('unconfirmed'), SMALLEST_TAPPED);
  });
}

/** Show the question that is open, if there is one. */
function showQuestions() {
  if (!current.questions.length && !questions.loaded) return;
  const isFirst = !questions.loaded;
  questions.use(({ showQuestion }) => {
    if (isFar) return;
    showQuestion(current, onAnswered, QUESTION_MENU);
    if (isFirst) showBanners();
  }, showBanners);
}

/** Say that the table has turned to another game, unless that was done here. */
function tellOfOtherGame(snapshot) {
  const title = otherGame(current, snapshot);
  if (title && !setup.loaded?.startsHere()) toast(say('The table now shows another game: {title}', { title }));
}

const isAnotherTurn = ({ game, state }) => game?.name !== current?.game?.name || state?.on_turn !== current?.state?.on_turn;

/** Leave the page empty for a moment: what stands elsewhere before a game, in it or after it is not seen to jump there. */
function turnPage(table) {
  table.style.visibility = 'hidden';
  requestAnimationFrame(() => requestAnimationFrame(() => table.style.removeProperty('visibility')));
}

/** Set what the frame of the page depends on. */
function showFrame({ state, boards, game, odds, take_back: takeBack }) {
  const over = isOver(state);
  const table = byId('table');
  const stage = over ? 'over' : state ? 'playing' : 'idle';
  if (!table.matches(`.waiting, .${stage}`)) turnPage(table);
  table.className = stage;
  table.classList.toggle('sheets', hasSheets(boards));
  table.classList.toggle('no-boards', !boards.some(isFilled));
  table.classList.toggle('uncounted', game?.name === PLAIN_DICE);
  byId('game-title').textContent = game?.title ?? '';
  byId('undo').disabled = !takeBack;
  byId('how-to-play').hidden = !game;
  byId('chances').hidden = !state || !odds || over;
  byId('agree').hidden = !state || (over && !takeBack);
}

function showTurn(snapshot) {
  const { state } = snapshot;
  const view = { over: isOver(state), state, prompt: promptView(snapshot), gained: snapshot.turn_points, isOfHall: !state && isOfHall(), lookBack: byId('to-history') && snapshot.extras.step ? `/history/${snapshot.extras.step.split('.')[0]}/result` : '' };
  redraw(byId('turn'), view, () => (view.over ? drawWinner(view, playAgain) : drawTurn(view, newGame, joinByPhone)));
}

/** Let parts fit their places before the next picture of the page: not in the task that draws them, which a slow phone has enough to do with. */
function fitSoon() {
  if (!isFitDue) requestAnimationFrame(fitParts);
  isFitDue = true;
}

/** Draw smaller what would not fit its place. */
function fitParts() {
  isFitDue = false;
  sizeDice();
  if (current.state && !isOver(current.state)) fit(byId('turn').querySelector('h1'), SMALLEST_PROMPT);
  fit(byId('ruling'), SMALLEST, LEGIBLE);
  for (const part of ['check', 'unconfirmed']) fit(byId(part), SMALLEST_TAPPED);
  fit(byId('boards'), current.boards.some(({ rows }) => rows.some(({ taps }) => taps)) ? SMALLEST_ROWS : SMALLEST);
  byId('table').dataset.number = current.number;
}

const showAgain = () => show(current);

/** Show the snapshot that answers a tap, unless the stream has brought a newer one. */
function showIfNewer(snapshot) {
  if (!current || isNewer(stampOf(snapshot), stampOf(current))) show(snapshot);
}

function onAnswered(snapshot) {
  showIfNewer(snapshot);
  showBanners();
}

function bringToFront(seat) {
  chosenSeat = seat;
  showAgain();
}

/** The step of the game that is shown: the API refuses what was offered at another one. */
const currentStep = () => current.extras.step ?? '';

async function play(action, step) {
  const snapshot = await orShowError(postJson('/api/act', { action, step }));
  if (snapshot) showIfNewer(snapshot);
}

/** Play an offer; one that ruins a turn or throws something away is confirmed first. */
function onOfferTap(offer) {
  const step = currentStep();
  if (offer.means) confirmDialog(say('{offer}?', { offer: offer.title }), offer.means, offer.title, () => play(offer.action, step));
  else play(offer.action, step);
}

const onRowTap = (row) => tableDialogs.use(({ openRow }) => openRow(row, onOfferTap));

const enterThrow = () => manualEntry.use(({ openManualEntry }) => openManualEntry(current, current.state ? ownSeat(current.state.players) : 0, showIfNewer));

/* Banners and the header's buttons */

const showBanners = () => drawBanners(bannersView(current, isLost, waitingQuestion()), isFar ? null : askAgain, called());

/** Return the game that the hall would have played here, and what a tap on it does; null for none. */
function called() {
  const call = invitation();
  return call && { call, take: () => setUp(call) };
}

/** Return the sentence of a question that waits while its dialog is closed, or ''. */
const waitingQuestion = () => (current?.questions.length && !byId('question').open && !questions.isLoading ? current.questions[0].sentence : '');

const askAgain = () => questions.use(({ reopenQuestion }) => {
  reopenQuestion(current, onAnswered, QUESTION_MENU);
  showBanners();
}, showBanners);

function confirmUndo() {
  const { waits } = current.extras;
  const detail = waits ? say('It still waits: {waits}.', { waits }) : current.take_back;
  const step = currentStep();
  confirmDialog(say('Take back the last step?'), detail, say('Take back'), async () => {
    const snapshot = await orShowError(postJson('/api/undo', { step }));
    if (snapshot) showIfNewer(snapshot);
  });
}

/** Ask what the table has agreed on where the rules are silent. */
const agree = () => tableDialogs.use(({ openAgreements }) => {
  const step = currentStep();
  openAgreements(onOfferTap, (lastThrow) => confirmDialog(say('This throw does not count?'), lastThrow, say('Does not count'), async () => {
    const snapshot = await orShowError(postJson('/api/void', { step }));
    if (snapshot) showIfNewer(snapshot);
  }));
});

/** Open the dialog of a new game, with nothing filled in by the hall. */
const newGame = () => setUp();

/** Begin the game that is over once more, with the same players. */
async function playAgain() {
  const snapshot = await orShowError(postJson('/api/game/again', { step: current.extras.step ?? '' }));
  if (snapshot) showIfNewer(snapshot);
}

/** Show the code by which phones join in. */
const joinByPhone = () => tableDialogs.use(({ openJoinByPhone }) => openJoinByPhone());

/** @param {any} call a game of the hall's to be filled in, null for none */
function setUp(call = null) {
  isSetUpWanted = !current;
  if (current) setup.use(({ openSetup }) => openSetup(current, showIfNewer, call));
}

/** What stays within reach while a question is open. */
const QUESTION_MENU = { undo: confirmUndo, agree, newGame };

/** Let nothing be tapped that may be old: while the table does not answer, and from waking up until it does. */
function holdBack() {
  for (const part of ['table', 'dialog', 'setup', 'question', 'done']) byId(part).inert = isLost || hasSlept;
}

/** Neither show nor say what the page did not see happen. */
function forget() {
  forgetMoments();
  caller.loaded?.forgetSpoken();
}

/** Show and say again what comes after what is shown now: the table may have changed nothing meanwhile. */
function comeBack() {
  if (isLost || hasSlept || !current) return;
  rememberMoments(current);
  caller.loaded?.sayAfter(current);
}

/** Go from the first steps straight to the choice of a game, with the virtual tray open where there is one. */
function beginFirstGame() {
  history.replaceState(null, '', location.pathname);
  store('sessionStorage', TRAY_DRAWER, 'open');
  newGame();
}

byId('undo').addEventListener('click', confirmUndo);
byId('agree').addEventListener('click', agree);
byId('new-game').addEventListener('click', newGame);
byId('chances').addEventListener('click', () => tableDialogs.use(({ openChances }) => openChances()));
prepareDrawer();
prepareCorrectMode(showIfNewer, currentStep);
byId('rare').addEventListener('click', ({ target }) => target.closest('button:not(#colours), a') && byId('rare').hidePopover?.());
byId('far').addEventListener('click', () => setFar(true));
byId('near').addEventListener('click', () => setFar(false));
if (isFar) store('localStorage', VIEW_KEY, FAR);
applyFar();
new ResizeObserver(sizeDice).observe(byId('dice'));
byId('how-to-play').addEventListener('click', () => openHowToPlay(current.game.name));
byId('question').addEventListener('close', showBanners);
if (document.body.dataset.hall) {
  followHall(() => {
    showBanners();
    if (current) showTurn(current);
  });
}
if (location.hash === FIRST_GAME) beginFirstGame();
followTable({
  onSnapshot: showIfNewer,
  onLost: (lost) => {
    isLost = lost;
    if (lost) forget();
    else comeBack();
    document.body.classList.toggle('line-lost', lost);
    holdBack();
    showBanners();
  },
  onSlept: (slept) => {
    hasSlept = slept;
    holdBack();
    if (slept) forget();
    else comeBack();
    document.body.classList.toggle('waking', slept);
  },
});
