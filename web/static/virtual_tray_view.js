// What the game wants of the virtual tray: which dice are thrown now, and how dice lay that are to be put back.

import { PLAIN_DICE, postJson } from './api.js';
import { byId, orShowError } from './dom.js';
import { newestSnapshot } from './events.js';
import { say, sayCount } from './say.js';
import { isDoubtful, promptView } from './table_view.js';

/** A die of the tray is taken for one that the referee sees where their middles are less apart than so many edges. */
const NEAR_EDGES = 1.2;
/** A die that leans, or lies on another one, is thrown again by itself. */
const LEANING = ['cocked', 'stacked'];
/** So many seconds of the tray after its dice lie still a throw has been ruled on, or will not be. */
export const RULED_S = 2;

/**
 * @typedef {{number: number, kind: string, place: string, upright_x: number, upright_y: number}} TrayDie
 * @typedef {{title: string, offer: string, numbers: number[], leans?: true, does?: 'set-aside'}} AskedThrow of the title `offer`; those that lean are a part of it; `numbers` are of the tray, none where it lacks dice
 * @typedef {{step?: number, title?: string, offer?: string, leans?: true}} Wish what is asked for, and at which step of the game
 */

/** Return what the tray's main button does: the throw that the game asks for, else the dice that most people carry to the bay now; null for neither. @param {any} snapshot @param {TrayDie[]} trayDice @returns {AskedThrow | null} */
export const askedNext = (snapshot, trayDice) => askedThrow(snapshot, trayDice) ?? askedMove(snapshot, trayDice);

function askedMove(snapshot, trayDice) {
  const offer = snapshot?.unsaved || snapshot?.questions?.length ? null : snapshot?.offers.find(({ by_tap: byTap, usual }) => !byTap && usual === 1);
  if (!offer) return null;
  const left = snapshot.dice.filter(({ zone }) => zone === 'field');
  const found = offer.dice.map(({ kind, face }) => {
    const at = left.findIndex((die) => die.kind === kind && die.face === face);
    return at < 0 ? null : trayDieOf(left.splice(at, 1)[0], trayDice);
  });
  const numbers = found.map((die) => die?.number ?? 0);
  const areKnown = numbers.every(Boolean) && new Set(numbers).size === numbers.length;
  return { title: offer.title, offer: offer.title, numbers: areKnown ? numbers : [], does: 'set-aside' };
}

/** Return the numbers of the tray's dice that the referee is not sure of, or asks about. @param {any} snapshot @param {TrayDie[]} trayDice @returns {number[]} */
export function doubtedDice(snapshot, trayDice) {
  const asked = (snapshot?.questions ?? []).flatMap(({ dice }) => dice);
  const found = (snapshot?.dice ?? []).filter((die) => isDoubtful(die, asked)).map((die) => trayDieOf(die, trayDice)?.number);
  return found.filter(Boolean);
}

/** Return the throw that the game asks for first, with the dice of the tray that it takes: those that lean, where some do, and of plain dice, which ask for any, all of them; null where it asks for none. @param {any} snapshot @param {TrayDie[]} trayDice @returns {AskedThrow | null} */
function askedThrow(snapshot, trayDice) {
  const offer = snapshot?.unsaved ? null : snapshot?.offers.find(({ by_tap: byTap, dice }) => !byTap && dice.some(({ face }) => !face));
  if (!offer) return null;
  const shown = offer.throws.map((number) => snapshot.dice.find((die) => die.number === number));
  const lean = shown.length > 0 && shown.every((die) => LEANING.includes(die?.posture));
  if (lean) return { leans: true, offer: offer.title, title: sayCount('Throw the leaning die again', 'Throw the {count} leaning dice again', shown.length), numbers: taken(shown, shown, trayDice) };
  if (snapshot.game?.name === PLAIN_DICE) return { title: say('Throw all the dice'), offer: offer.title, numbers: trayDice.map(({ number }) => number) };
  return { title: offer.title, offer: offer.title, numbers: taken(shown, offer.dice, trayDice) };
}

/** Return the dice of the tray that lie where the referee sees those of a throw, and those off the table for what it does not see; where some do not lie so, as many of each kind. */
function taken(shown, wanted, trayDice) {
  const found = shown.map((die) => trayDieOf(die, trayDice));
  const areKnown = found.length > 0 && found.every(Boolean) && new Set(found).size === found.length;
  const unseen = areKnown ? byKind(without(wanted, found), trayDice.filter(({ place }) => place === 'off')) : [];
  const numbers = areKnown ? [...found.map((die) => die.number), ...unseen] : [];
  return numbers.length >= shown.length && numbers.length === wanted.length ? numbers.sort((one, other) => one - other) : byKind(wanted, trayDice);
}

/** Return true while what was done is still asked for, and may be ruled on yet: the camera may see nothing of it, as with a covered lens. Dice that leaned and are thrown again are part of the throw that is asked for. @param {Wish} done @param {Wish} asked @param {number} restsIn after how many seconds of the tray all dice lie still, less than 0 since they do @returns {boolean} */
export const isUnderWay = (done, asked, restsIn) =>
  Boolean(done.title) && restsIn > -RULED_S && done.step === asked.step && done.offer === asked.offer && (done.title === asked.title || !asked.leans);

/** Return what is left of the wanted dice without as many of each kind as were found. */
function without(wanted, found) {
  const left = [...wanted];
  for (const { kind } of found) left.splice(left.findIndex((die) => die.kind === kind), 1);
  return left;
}

/** Said while a question is open. */
export const ANSWER_FIRST = say('Answer the question first');
/** Said while hands have nothing to throw. */
export const NO_THROW = say('No throw is asked for now');
/** What hands do on the tray for a move that the game awaits. */
const MOVES = { park: say('Drag dice that score to the bay') };

/** Return what is awaited while no throw is asked for: an answer, dice that hands move, or what the table says. @param {any} snapshot @returns {string} */
export function awaitedInstead(snapshot) {
  const { state, unsaved } = snapshot ?? {};
  if (!state?.to_act.length || unsaved) return NO_THROW;
  if (snapshot.questions.length) return ANSWER_FIRST;
  const move = snapshot.offers.find(({ by_tap: byTap, verb }) => !byTap && MOVES[verb]);
  return MOVES[move?.verb] ?? (promptView(snapshot) || NO_THROW);
}

/** Return the die of the tray that lies where the referee sees one. */
function trayDieOf(shown, trayDice) {
  if (!shown?.ring) return null;
  const { x, y, edge } = shown.ring;
  const distance = (die) => Math.hypot(die.upright_x - x, die.upright_y - y);
  const alike = trayDice.filter(({ kind, place }) => kind === shown.kind && place !== 'off');
  const nearest = alike.reduce((one, other) => (one && distance(one) <= distance(other) ? one : other), /** @type {TrayDie | null} */ (null));
  return nearest && distance(nearest) < NEAR_EDGES * edge ? nearest : null;
}

/** A hand takes first what lies beside the tray, which has to come back anyway. */
const NEARNESS = { out: 0, off: 0, field: 1, aside: 2 };

/** Return so many dice of each kind as are thrown, those that left the tray first, then those of the field. */
function byKind(wanted, trayDice) {
  const left = [...trayDice].sort((one, other) => NEARNESS[one.place] - NEARNESS[other.place] || one.number - other.number);
  const picked = wanted.map(({ kind }) => {
    const at = left.findIndex((die) => die.kind === kind);
    return at < 0 ? 0 : left.splice(at, 1)[0].number;
  });
  return picked.every(Boolean) ? picked.sort((one, other) => one - other) : [];
}

/** Return true while dice lie wrong that are to be put back: before a turn's first throw it matters to nobody how they lie. @param {any} snapshot @returns {boolean} */
export const areWrong = (snapshot) => Boolean(snapshot) && (snapshot.put_back.length > 0 || (snapshot.questions ?? []).some(({ topic }) => topic === 'put-back'));

/** Return how the dice should lie, as the referee says it: those that lie right as they are read, the others as they lay. @param {any} snapshot @returns {{kind: string, face: string, zone: string}[]} */
export function wantedDice(snapshot) {
  if (!snapshot?.put_back.length) return [];
  const wrong = new Map(snapshot.put_back.map((each) => [each.die, each]));
  const right = snapshot.dice.filter(({ number, kind, zone }) => kind && zone !== 'out' && !wrong.has(number)).map(({ kind, face, zone }) => ({ kind, face, zone }));
  const zoneOf = (number) => snapshot.dice.find((die) => die.number === number)?.zone ?? '';
  return [...right, ...snapshot.put_back.map(({ die, kind, face, place }) => ({ kind, face, zone: place || zoneOf(die) }))];
}

/** Return true if this page has the virtual tray. @returns {boolean} */
export const hasVirtualTray = () => Boolean(byId('tray-drawer') ?? byId('tray'));

/** Let a hand lay the dice as they lay. @returns {Promise<any>} the tray's dice, nothing where that was refused */
export const putBack = () => orShowError(postJson('/api/tray/put-back', { wanted: wantedDice(newestSnapshot()) }));
