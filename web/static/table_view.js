// What the table page shows of a snapshot, section by section: values that are drawn when they change. No DOM.

import { hasSheets } from './boards/board_layout.js';
import { gameNumber } from './connection.js';
import { capitalized, listed } from './format.js';
import { markOf } from './intervention_view.js';
import { say, sayCount } from './say.js';

const MOST_TIED = 6;
const MOST_THROWS = 2;
const MOST_TAPS = 5;
const MOST_BRIEF_FACTS = 2;

/** Facts that have a place of their own on the page. */
const SHOWN_ELSEWHERE = ['table', 'check', 'worries', 'power', 'woke', 'lent', 'step', 'run', 'by_hand'];

/** Return true if the game is over. @param {any} state @returns {boolean} */
export const isOver = (state) => Boolean(state && !state.to_act.length);

/** Return the facts shown under the turn. @param {any} snapshot @returns {Record<string, string>} */
export const factsView = ({ extras }) =>
  Object.fromEntries(Object.entries(extras).filter(([name, value]) => value && !SHOWN_ELSEWHERE.includes(name)));

/** Return what is to be done, or '' where the notice says it better: a calm one, as for dice that are being parked, or that nobody should throw. @param {any} snapshot @returns {string | undefined} */
export const promptView = (snapshot) => (snapshot.unsaved || isInsteadOfPrompt(snapshot) ? '' : withoutHeading(snapshot.state));

/** Return what is to be done without the name that the heading says already: `Ann, 50 parked: roll` is `50 parked: roll`. */
function withoutHeading(state) {
  if (!state?.on_turn || isOver(state)) return state?.tell;
  const { name } = state.players.find(({ seat }) => seat === state.on_turn);
  const rest = [': ', ', '].map((sign) => `${name}${sign}`).find((beginning) => state.tell.startsWith(beginning));
  if (!rest) return state.tell;
  return capitalized(state.tell.slice(rest.length));
}

const isInsteadOfPrompt = (snapshot) => Boolean(ownNotice(snapshot)) && (snapshot.mood === 'calm' || (snapshot.mood === 'ask' && !snapshot.questions.length));

/** Return the ruling's card: calls, and a notice that is not the prompt. @param {any} snapshot @returns {any} */
export const rulingView = (snapshot) =>
  ({ calls: snapshot.calls, moment: snapshot.moment ?? '', game: snapshot.game?.name ?? '', kinds: snapshot.game?.kinds ?? [], notice: ownNotice(snapshot), mood: snapshot.unsaved ? 'unsaved' : snapshot.mood, rule: snapshot.rule, evidence: snapshot.evidence, wrong: snapshot.put_back });

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

/** Return the offers this tablet shows: its own seat's; else those of the player whose sheet is in front, or all. What is chosen at a place of a board that is shown needs no button. While nothing can be kept, no throws. @param {any} snapshot @param {{own: number, front: number, shown?: number, mayDecide: boolean}} viewer `shown` is the seat whose board is shown, 0 for all @returns {any} */
export function offersView({ offers: all, boards, state, extras, camera_trouble: trouble, unsaved }, { own, front, shown: shownSeat = 0, mayDecide }) {
  const offers = unsaved ? all.filter((offer) => offer.by_tap) : all;
  const acting = state?.to_act ?? [];
  const only = own || (acting.length > 1 ? front : 0);
  const isNear = (seat) => !only || !seat || seat === only;
  const near = offers.filter(({ player }) => isNear(player));
  const isCrowded = hasSheets(boards) && near.filter(({ places }) => places.length).length > MOST_TIED;
  const onBoards = placesOf(boards.filter(({ seat }) => !seat || !shownSeat || seat === shownSeat));
  const isOnBoard = ({ by_tap: byTap, places }) => byTap && places.some((place) => onBoards.has(place));
  const shown = near.filter((offer) => !(offer.places.length && isCrowded) && !(mayDecide && isOnBoard(offer)));
  const hasTappableRows = boards.some(({ seat, rows }) => isNear(seat) && rows.some(({ taps }) => taps));
  const names = Object.fromEntries(state?.players.map(({ seat, name }) => [seat, name]) ?? []);
  return {
    offers: shown,
    awaited: state?.dice_awaited ?? [],
    names,
    bySeat: !own && (only > 0 || new Set(shown.map(({ player }) => player)).size > 1),
    others: own && acting.length && !acting.includes(own) ? acting.map((seat) => names[seat]) : [],
    still: own || !only ? [] : stillActing(boards, acting, only).map((seat) => ({ seat, name: names[seat] })),
    pointToRows: hasTappableRows && !shown.some(({ places }) => places.length),
    onBoard: mayDecide && !unsaved && !shown.length && near.some(isOnBoard),
    manualEntry: extras.by_hand === 'open' && mayDecide && (trouble ? 'main' : 'quiet'),
  };
}

/** Return the names of the boards' places that may be tapped. */
const placesOf = (boards) => new Set(boards.flatMap(({ seat, parts = [] }) => parts.flatMap((part) => [part, ...(part.places ?? [])]).filter(({ taps }) => taps).map(({ key }) => `${seat}:${key}`)));

/** Return the other seats for which everybody waits while several act: those whose boards show no light that is lit for being done. @param {any[]} boards @param {number[]} acting @param {number} front @returns {number[]} */
export function stillActing(boards, acting, front) {
  const isDone = (seat) => boards.some((board) => board.seat === seat && board.parts.some(({ part, key, lights }) => part === 'lights' && board.brief.includes(key) && lights.every(({ is_lit: isLit }) => isLit)));
  return acting.filter((seat) => seat !== front && !isDone(seat));
}

/** Return the action bar: throws in the words of a line or two, the main action, the others that have room, and those that have none. @param {any} view of offers @returns {any} */
export function barView({ offers, awaited, names, bySeat, others: waiting, still = [], pointToRows, manualEntry, onBoard = false }) {
  const { throws, taps, grave } = groupOffers(offers);
  const [main, ...others] = [...taps, ...grave];
  const room = MOST_TAPS - 1 - (others.length > MOST_TAPS - 1 ? 1 : 0);
  return {
    throws: throws.length > MOST_THROWS ? [...throws.slice(0, MOST_THROWS - 1), { title: say('{throw}, or {count} more', { throw: throws[MOST_THROWS - 1].title, count: throws.length - MOST_THROWS }) }] : throws,
    awaited: throws.length > 1 ? [] : awaited,
    main,
    others: others.slice(0, room),
    more: others.slice(room),
    names,
    bySeat,
    waitsFor: !offers.length && waiting.length ? say('{names}: to act.', { names: waiting.join(', ') }) : '',
    still,
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

const ZONES = [['field', say('On the field')], ['signal', say('On the spot')], ['aside', say('In the bay')], ['out', say('Off the field')]];
const POSTURES = { cocked: say('leaning'), stacked: say('on another die') };

/** Return the dice by where they lie. @param {any[]} dice @returns {{zone: string, title: string, dice: any[]}[]} */
export const diceByZone = (dice) => ZONES
  .map(([zone, title]) => ({ zone, title, dice: dice.filter((die) => die.zone === zone) }))
  .filter((group) => group.dice.length);

/** Return how a die lies, '' for flat. @param {any} die @returns {string} */
export const postureOf = ({ posture }) => POSTURES[posture] ?? '';

/** Return a die's description for a screen reader. @param {any} die @param {boolean} isDoubtful @returns {string} */
export function dieLabel(die, isDoubtful) {
  const how = postureOf(die) || (isDoubtful ? say('not sure') : markOf(die)?.word ?? say('sure'));
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
