// What the table page shows of a snapshot, section by section: values that are drawn when they change.

import { gameNumber } from './events.js';
import { listed } from './format.js';
import { markOf } from './interventions.js';
import { say, sayCount } from './say.js';

/* Which of the players’ boards are shown, and how: their game sheets one at a time, small boards side by side */

/**
 * @typedef {{name: string, value: string}} Fact
 * @typedef {{key: string, cells: string[], mark: string, taps: number}} BoardRow
 * @typedef {{seat: number, title: string, facts: Fact[], columns: string[], rows: BoardRow[], parts: any[], brief: string[]}} Board seat 0 is the middle of the table
 */

const MOST_ROWS = 6;
const MOST_FACTS = 3;

/** Return true if a player's boards are a game sheet, which is so large that one player's is shown at a time. @param {Board[]} boards @returns {boolean} */
export function hasSheets(boards) {
  const rows = new Map();
  for (const { seat, rows: { length } } of boards) if (seat) rows.set(seat, (rows.get(seat) ?? 0) + length);
  return Math.max(0, ...rows.values()) > MOST_ROWS;
}

/** Return whose sheet is shown: the chosen player's, else the tablet's own, else that of the first to act; 0 for nobody's. @param {Board[]} boards @param {number} chosen @param {number} own @param {number[]} acting @returns {number} */
export function seatInFront(boards, chosen, own, acting) {
  const seats = [...new Set(boards.map(({ seat }) => seat))].filter(Boolean);
  return [chosen, own, ...acting, ...seats].find((seat) => seats.includes(seat)) ?? 0;
}

/** Return the boards to show: all, or the front player's and the middle's, so that others' changes redraw nothing. @param {Board[]} boards @param {number} front @returns {Board[]} */
export const boardsToShow = (boards, front) => (front ? boards.filter(({ seat }) => !seat || seat === front) : boards);

/** Return true if a board holds anything. @param {Board} board @returns {boolean} */
export const isFilled = ({ facts, rows, parts }) => facts.length > 0 || rows.length > 0 || parts.length > 0;

/** Return the names of the boards' facts, each once. @param {Board[]} boards @returns {string[]} */
export const factNames = (boards) => [...new Set(boards.flatMap(({ facts }) => facts.map(({ name }) => name)))];

/** Return true if the players' boards hold so little that one table shows them. @param {Board[]} boards @returns {boolean} */
export const fitsOneTable = (boards) =>
  boards.length > 1 && boards.every(({ rows, parts }) => !rows.length && !parts.length) && factNames(boards).length <= MOST_FACTS;

/** Return the boards with the tablet's own first. @param {Board[]} boards @param {number} own @returns {Board[]} */
export const ownFirst = (boards, own) => [...boards].sort((one, other) => Number(other.seat === own) - Number(one.seat === own));

/** Return what the boards show of a snapshot on this tablet. @param {any} snapshot @param {{own: number, front: number, over: boolean, mayDecide: boolean}} viewer @returns {import('./boards/boards.js').BoardsView} */
export const boardsView = ({ game, state, boards, offers, dice, extras, unsaved }, viewer) => ({
  ...viewer,
  mayDecide: viewer.mayDecide && !unsaved,
  boards: boardsToShow(boards, viewer.front),
  acting: state?.to_act ?? [],
  players: state?.players ?? [],
  offers,
  dice,
  kinds: game?.kinds ?? [],
  dieSet: game?.die_set ?? '',
  step: extras.step ?? '',
});

/**
 * Return what tells whether a choice that was begun may go on: the step of the game; with a sheet in front, on which
 * several players act at once, what is on that sheet and in the middle.
 * @param {{boards: Board[], front: number, step: string}} view @returns {string}
 */
export const boardsStamp = ({ boards, front, step }) => (front ? JSON.stringify(boards, (name, value) => (name === 'facts' ? undefined : value)) : step);

/* A steady order of the dice: a die keeps its place as long as it lies in its zone */

/** @typedef {{number: number, kind: string, face: string, zone: string}} OrderedDie */
/** @typedef {Map<number, {place: number, zone: string, kind: string, face: string}>} DiceOrder where each die stands, by its number */

/**
 * Return where the dice stand, after where they stood. A die in another zone stands last there; one under another number
 * takes the place of a die that is gone and was just like it.
 * @param {DiceOrder} before @param {OrderedDie[]} dice @returns {DiceOrder}
 */
export function nextOrder(before, dice) {
  const order = new Map();
  const gone = new Map([...before].filter(([number]) => !dice.some((die) => die.number === number)));
  let last = Math.max(0, ...[...before.values()].map(({ place }) => place));
  for (const { number, kind, face, zone } of dice) {
    const known = before.get(number);
    const stays = known && known.zone === zone && known.kind === kind ? known : takeAlike(gone, { kind, face, zone });
    order.set(number, { place: stays?.place ?? (last += 1), zone, kind, face });
  }
  return order;
}

function takeAlike(gone, { kind, face, zone }) {
  const alike = [...gone].find(([, die]) => die.zone === zone && die.kind === kind && die.face === face);
  if (alike) gone.delete(alike[0]);
  return alike?.[1];
}

/** Return the dice by kind, in the order of the kinds, then as they stand. @param {DiceOrder} order @param {any[]} dice @param {string[]} kinds @returns {any[]} */
export const inOrder = (order, dice, kinds) => [...dice].sort((one, other) =>
  kinds.indexOf(one.kind) - kinds.indexOf(other.kind) || order.get(one.number).place - order.get(other.number).place);

/* The sections */

const MOST_TIED = 6;
const MOST_THROWS = 2;
const MOST_BESIDE = 3;
const MOST_BRIEF_FACTS = 2;

/** Facts that have a place of their own on the page. */
const SHOWN_ELSEWHERE = ['table', 'check', 'worries', 'power', 'woke', 'lent', 'step', 'run', 'by_hand'];

/** Return true if the game is over. @param {any} state @returns {boolean} */
export const isOver = (state) => Boolean(state && !state.to_act.length);

/** Return the facts shown under the turn. @param {any} snapshot @returns {Record<string, string>} */
export const factsView = ({ extras }) =>
  Object.fromEntries(Object.entries(extras).filter(([name, value]) => value && !SHOWN_ELSEWHERE.includes(name)));

/** Return what is to be done: a calm notice says it better than the game, as for dice that are being parked; '' where the ruling's card says what to do instead, or that nobody should throw. @param {any} snapshot @returns {string | undefined} */
export function promptView(snapshot) {
  const { state, unsaved, mood, questions } = snapshot;
  const notice = ownNotice(snapshot);
  if (unsaved || (notice && mood === 'ask' && !questions.length)) return '';
  return isHeadline(snapshot) ? notice : state?.tell;
}

/** Return true if the notice stands at the head of the turn, and not in the ruling's card. */
const isHeadline = (snapshot) => Boolean(ownNotice(snapshot) && snapshot.state?.to_act.length) && snapshot.mood === 'calm' && !snapshot.unsaved;

/** Return the ruling's card: calls, and a notice that is not the prompt. @param {any} snapshot @returns {any} */
export const rulingView = (snapshot) =>
  ({ calls: snapshot.calls, moment: snapshot.moment ?? '', game: snapshot.game?.name ?? '', kinds: snapshot.game?.kinds ?? [], notice: isHeadline(snapshot) ? '' : ownNotice(snapshot), mood: snapshot.unsaved ? 'unsaved' : snapshot.mood, rule: snapshot.rule, evidence: snapshot.evidence, wrong: snapshot.put_back });

/** A question's own sentence stands in its dialog or banner. */
const ownNotice = ({ notice, notice_is_prompt: isPrompt, questions = [] }) => (isPrompt || questions.some(({ sentence }) => sentence === notice) ? '' : notice);

/** Return what stands over the table: what is wrong with the line, the camera or the box, and a question that waits. @param {any} snapshot @param {boolean} isLost @param {string} question @returns {{isLost: boolean, trouble: string, question: string, woke: string, worries: string[], wantsPhone: boolean}} `wantsPhone`: a phone would be the camera */
export function bannersView(snapshot, isLost, question) {
  const { woke = '', worries = '', lent = '' } = snapshot?.extras ?? {};
  return { isLost, isLent: Boolean(lent), trouble: snapshot?.camera_trouble ?? '', question, woke, worries: worries.split('\n').filter(Boolean), wantsPhone: snapshot?.camera === 'phone', isDrawn: snapshot?.camera === 'virtual' };
}

/** Return the heading of the turn. @param {any} state @returns {string} */
export function turnTitle({ players, to_act: acting, on_turn: onTurn, lots }) {
  const nameOf = (seat) => players.find((player) => player.seat === seat).name;
  if (onTurn) return lots ? say('{name} throws', { name: nameOf(onTurn) }) : say('{name}’s turn', { name: nameOf(onTurn) });
  const names = acting.map(nameOf);
  return names.length === players.filter(({ left }) => !left).length ? say('Everybody') : listed(names);
}

/** Return the heading of a game that is over. @param {any} state @returns {string} */
export function winnerTitle({ players, winner }) {
  const names = players.filter(({ seat }) => winner.includes(seat)).map(({ name }) => name);
  if (players.length === 1 || !names.length) return say('The game is over');
  return sayCount('{names} wins!', '{names} win!', names.length, { names: listed(names) });
}

/** Return the players with the winners first, then by score. @param {any} state @returns {any[]} */
export function standings({ players, winner }) {
  const hasWon = ({ seat }) => Number(winner.includes(seat));
  return [...players].sort((one, other) => hasWon(other) - hasWon(one) || other.score - one.score);
}

/** Return the offers this tablet shows: its own seat's; else those of the player whose sheet is in front, or all. What is chosen at a place of a board that is shown needs no button, but what most people do next has one always. While nothing can be kept, no throws. @param {any} snapshot @param {{own: number, front: number, shown?: number, mayDecide: boolean}} viewer `shown` is the seat whose board is shown, 0 for all @returns {any} */
export function offersView(snapshot, { own, front, shown: shownSeat = 0, mayDecide }) {
  const { offers: all, boards, state, extras, camera_trouble: trouble, unsaved } = snapshot;
  const offers = unsaved ? all.filter((offer) => offer.by_tap) : all;
  const acting = state?.to_act ?? [];
  const only = own || (acting.length > 1 ? front : 0);
  const isNear = (seat) => !only || !seat || seat === only;
  const near = offers.filter(({ player }) => isNear(player));
  const isCrowded = hasSheets(boards) && near.filter(({ places }) => places.length).length > MOST_TIED;
  const onBoards = placesOf(boards.filter(({ seat }) => !seat || !shownSeat || seat === shownSeat));
  const isOnBoard = ({ by_tap: byTap, places }) => byTap && places.some((place) => onBoards.has(place));
  const shown = near.filter((offer) => offer.usual || (!(offer.places.length && isCrowded) && !(mayDecide && isOnBoard(offer))));
  const hasTappableRows = boards.some(({ seat, rows }) => isNear(seat) && rows.some(({ taps }) => taps));
  const names = Object.fromEntries(state?.players.map(({ seat, name }) => [seat, name]) ?? []);
  return {
    offers: shown,
    headline: promptView(snapshot) ?? '',
    names,
    bySeat: !own && (only > 0 || new Set(shown.map(({ player }) => player)).size > 1),
    others: own && acting.length && !acting.includes(own) ? acting.map((seat) => names[seat]) : [],
    pointToRows: hasTappableRows && !shown.some(({ places, usual }) => places.length && !usual),
    onBoard: mayDecide && !unsaved && !shown.length && near.some(isOnBoard),
    manualEntry: extras.by_hand === 'open' && mayDecide && (trouble ? 'main' : 'quiet'),
  };
}

/** Return the names of the boards' places that may be tapped. */
const placesOf = (boards) => new Set(boards.flatMap(({ seat, parts = [] }) => parts.flatMap((part) => [part, ...(part.places ?? [])]).filter(({ taps }) => taps).map(({ key }) => `${seat}:${key}`)));

/** Return the action bar: throws that the headline does not name, in the words of a line or two, what most people do next, what else has room, what has none, and what is asked twice. @param {any} view of offers @returns {any} */
export function barView({ offers, headline = '', names, bySeat, others: waiting, pointToRows, manualEntry, onBoard = false }) {
  const { throws: all, taps, grave } = groupOffers(offers);
  const throws = all.filter(({ title }) => !headline.toLocaleLowerCase().includes(title.toLocaleLowerCase()));
  const next = taps.filter(({ usual }) => usual).sort((one, other) => one.usual - other.usual)[0];
  const others = taps.filter((offer) => offer !== next).sort((one, other) => other.usual - one.usual);
  const room = MOST_BESIDE - (others.length > MOST_BESIDE ? 1 : 0);
  return {
    throws: throws.length > MOST_THROWS ? [...throws.slice(0, MOST_THROWS - 1), { title: say('{throw}, or {count} more', { throw: throws[MOST_THROWS - 1].title, count: throws.length - MOST_THROWS }) }] : throws,
    next,
    beside: others.slice(0, room),
    more: others.slice(room),
    grave,
    names,
    bySeat,
    waitsFor: !offers.length && waiting.length ? say('{names}: to act.', { names: waiting.join(', ') }) : '',
    pointToRows,
    manualEntry,
    onBoard,
  };
}

/** Return a few short facts of a player's boards, for the card of a player whose boards have no parts that are brief. @param {any[]} boards @param {number} seat @returns {{name: string, value: string}[]} */
export function briefFacts(boards, seat) {
  const own = boards.filter((board) => board.seat === seat);
  const hasParts = own.some(({ brief }) => brief.length);
  return hasParts ? [] : own.flatMap(({ facts }) => facts).filter(({ value }) => value).slice(0, MOST_BRIEF_FACTS);
}

/** Return the offers in groups: throws, taps, and taps that are asked a second time. @param {any[]} offers @returns {{throws: any[], taps: any[], grave: any[]}} */
export const groupOffers = (offers) => ({
  throws: offers.filter((offer) => !offer.by_tap),
  taps: offers.filter((offer) => offer.by_tap && !offer.grave),
  grave: offers.filter((offer) => offer.by_tap && offer.grave),
});

const ZONES = [['field', say('Field')], ['signal', say('Spot')], ['aside', say('Bay')], ['out', say('Off the field')]];
const POSTURES = { cocked: say('leaning'), stacked: say('on another die') };

/** Return the dice by where they lie. @param {any[]} dice @returns {{zone: string, title: string, dice: any[]}[]} */
export const diceByZone = (dice) => ZONES
  .map(([zone, title]) => ({ zone, title, dice: dice.filter((die) => die.zone === zone) }))
  .filter((group) => group.dice.length);

/** Return how a die lies, '' for flat. @param {any} die @returns {string} */
export const postureOf = ({ posture }) => POSTURES[posture] ?? '';

/** Return true if it is not certain what a die shows, or it is asked about; `asked` are the numbers of such dice. @param {any} die @param {number[]} asked @returns {boolean} */
export const isDoubtful = (die, asked) => !postureOf(die) && (asked.includes(die.number) || (!die.sure && !markOf(die)));

/** Return a die's description for a screen reader. @param {any} die @param {boolean} isUnsure @returns {string} */
export function dieLabel(die, isUnsure) {
  const how = postureOf(die) || (isUnsure ? say('not sure') : markOf(die)?.word ?? say('sure'));
  return say('{die}, {how}. Tap to correct.', { die: die.title || say('unread'), how });
}

/** Return the game that goes on: its title, the step it is at, and its number; no title and '0' for none. @param {any} snapshot @returns {{title: string, step: string, number: string}} */
export function runningGame({ game, state, extras }) {
  const isRunning = Boolean(state?.to_act.length);
  const step = isRunning ? extras.step ?? '' : '0.0';
  return { title: isRunning ? game.title : '', step, number: gameNumber(step) };
}

/** Return the title and the players of the game that the table turned to, '' while it shows the same one or none. @param {any} before @param {any} now @returns {string} */
export function otherGame(before, now) {
  const [was, is] = [before, now].map(({ extras }) => gameNumber(extras.step ?? ''));
  if (!now.state || !is || !was || is === was) return '';
  return `${now.game.title} (${listed(now.state.players.map(({ name }) => name))})`;
}
