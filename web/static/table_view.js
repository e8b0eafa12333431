// What the table page shows of a snapshot, section by section: values that are drawn when they change. No DOM.

import { hasSheets } from './board_layout.js';
import { gameNumber } from './connection.js';
import { listed, possessive } from './format.js';

const MOST_TIED = 6;

/** Facts that have a place of their own on the page. */
const SHOWN_ELSEWHERE = ['table', 'check', 'worries', 'power', 'woke', 'lent', 'step', 'run', 'by_hand'];

/** Return true if the game is over. @param {any} state @returns {boolean} */
export const isOver = (state) => Boolean(state && !state.to_act.length);

/** Return the facts shown under the turn. @param {any} snapshot @returns {Record<string, string>} */
export const factsView = ({ extras }) =>
  Object.fromEntries(Object.entries(extras).filter(([name, value]) => value && !SHOWN_ELSEWHERE.includes(name)));

/** Return what is to be done, or '' where the notice says it better: a calm one, as for dice that are being parked, or that nobody should throw. @param {any} snapshot @returns {string | undefined} */
export const promptView = (snapshot) => (snapshot.unsaved || isInsteadOfPrompt(snapshot) ? '' : snapshot.state?.tell);

const isInsteadOfPrompt = (snapshot) => Boolean(ownNotice(snapshot)) && (snapshot.mood === 'calm' || (snapshot.mood === 'ask' && !snapshot.questions.length));

/** Return the ruling's card: calls, and a notice that is not the prompt. @param {any} snapshot @returns {any} */
export const rulingView = (snapshot) =>
  ({ calls: snapshot.calls, notice: ownNotice(snapshot), mood: snapshot.unsaved ? 'unsaved' : snapshot.mood, rule: snapshot.rule, evidence: snapshot.evidence });

const ownNotice = (snapshot) => (snapshot.notice_is_prompt ? '' : snapshot.notice);

/** Return the heading of the turn. @param {any} state @returns {string} */
export function turnTitle({ players, to_act: acting, on_turn: onTurn, lots }) {
  const nameOf = (seat) => players.find((player) => player.seat === seat).name;
  if (onTurn) return lots ? `${nameOf(onTurn)} throws` : `${possessive(nameOf(onTurn))} turn`;
  const names = acting.map(nameOf);
  return names.length === players.filter(({ left }) => !left).length ? 'Everybody' : listed(names);
}

/** Return the heading of a game that is over. @param {any} state @returns {string} */
export function winnerTitle({ players, winner }) {
  const names = players.filter(({ seat }) => winner.includes(seat)).map(({ name }) => name);
  if (players.length === 1 || !names.length) return 'The game is over';
  return names.length === 1 ? `${names[0]} wins!` : `${listed(names)} win!`;
}

/** Return the players with the winners first, then by score. @param {any} state @returns {any[]} */
export function standings({ players, winner }) {
  const hasWon = ({ seat }) => Number(winner.includes(seat));
  return [...players].sort((one, other) => hasWon(other) - hasWon(one) || other.score - one.score);
}

/** Return the offers this tablet shows: its own seat's; else those of the player whose sheet is in front, or all. While nothing can be kept, no throws. @param {any} snapshot @param {{own: number, front: number, mayDecide: boolean}} viewer @returns {any} */
export function offersView({ offers: all, boards, state, extras, camera_trouble: trouble, unsaved }, { own, front, mayDecide }) {
  const offers = unsaved ? all.filter((offer) => offer.by_tap) : all;
  const acting = state?.to_act ?? [];
  const only = own || (acting.length > 1 ? front : 0);
  const isNear = (seat) => !only || !seat || seat === only;
  const near = offers.filter(({ player }) => isNear(player));
  const isCrowded = hasSheets(boards) && near.filter(({ tied }) => tied).length > MOST_TIED;
  const shown = near.filter(({ tied }) => !(tied && isCrowded));
  const hasTappableRows = boards.some(({ seat, rows }) => isNear(seat) && rows.some(({ taps }) => taps));
  const names = Object.fromEntries(state?.players.map(({ seat, name }) => [seat, name]) ?? []);
  return {
    offers: shown,
    awaited: state?.dice_awaited ?? [],
    names,
    bySeat: acting.length > 1 && !own,
    others: own && acting.length && !acting.includes(own) ? acting.map((seat) => names[seat]) : [],
    pointToRows: hasTappableRows && !shown.some(({ tied }) => tied),
    manualEntry: extras.by_hand === 'open' && mayDecide && (trouble ? 'main' : 'quiet'),
  };
}

/** Return the offers in groups: throws, taps, and taps that are asked a second time. @param {any[]} offers @returns {{throws: any[], taps: any[], grave: any[]}} */
export const groupOffers = (offers) => ({
  throws: offers.filter((offer) => !offer.by_tap),
  taps: offers.filter((offer) => offer.by_tap && !offer.grave),
  grave: offers.filter((offer) => offer.by_tap && offer.grave),
});

const ZONES = [['field', 'On the field'], ['signal', 'On the spot'], ['aside', 'In the bay'], ['out', 'Off the field']];
const POSTURES = { cocked: 'leaning', stacked: 'on another die' };

/** Return the dice by where they lie. @param {any[]} dice @returns {{zone: string, title: string, dice: any[]}[]} */
export const diceByZone = (dice) => ZONES
  .map(([zone, title]) => ({ zone, title, dice: dice.filter((die) => die.zone === zone) }))
  .filter((group) => group.dice.length);

/** Return how a die lies, '' for flat. @param {any} die @returns {string} */
export const postureOf = ({ posture }) => POSTURES[posture] ?? '';

/** Return a die's description for a screen reader. @param {any} die @param {boolean} isDoubtful @returns {string} */
export function dieLabel(die, isDoubtful) {
  const posture = postureOf(die);
  return `${die.title || 'unread'}, ${posture || (isDoubtful ? 'not sure' : 'sure')}. Tap to correct.`;
}

/** Return the game that goes on: its title, the step it is at, and its number; no title and '0' for none. @param {any} snapshot @returns {{title: string, step: string, number: string}} */
export function runningGame({ game, state, extras }) {
  const isRunning = Boolean(state?.to_act.length);
  const step = isRunning ? extras.step ?? '' : '0.0';
  return { title: isRunning ? game.title : '', step, number: gameNumber(step) };
}
