// What the pages of past games show: titles, faces, results, the place in a game, and the addresses behind figures. No DOM.

import { listed } from './format.js';
import { PLAIN_DICE } from './plain_dice.js';
import { say, sayCount } from './say.js';

/**
 * @typedef {{game: string, player: number, against: number, dice: string, face: string}} Filter '' and 0 narrow nothing; `face` is a die as it was read, "kind:face"
 * @typedef {{seat: number, name: string, player: number, won: boolean, score: number | null, best_turn: number | null, best_entry: number}} PastSeat
 * @typedef {{number: number, game: string, started_at: string, ended_at: string, clock_doubted: boolean, finished: boolean, seats: PastSeat[]}} PastGame
 */

/** Return what the query of an address narrows the list to. @param {string} query @returns {Filter} */
export function filterOf(query) {
  const words = new URLSearchParams(query);
  const number = (key) => Math.max(0, Number.parseInt(words.get(key) ?? '', 10) || 0);
  const text = (key) => words.get(key) ?? '';
  return { game: text('game'), player: number('player'), against: number('against'), dice: text('dice'), face: text('dice') && text('face') };
}

/** Return a filter as the query of an address, '' for one that narrows nothing. @param {Partial<Filter>} filter @param {number} before @returns {string} */
export function queryOf({ game, player, against, dice, face }, before = 0) {
  const words = Object.entries({ game, player, against: player ? against : 0, dice, face: dice ? face : '', before }).filter(([, value]) => value);
  return words.length ? `?${new URLSearchParams(words.map(([key, value]) => [key, String(value)]))}` : '';
}

/** Return the address of a past game, at an entry where one is given. @param {number} number @param {number} entry @returns {string} */
export const gameAddress = (number, entry = 0) => `/history/${number}${entry ? `?entry=${entry}` : ''}`;

/** Return the address of a past game at its first throw in which a face was read, at its beginning for none. @param {number} number @param {string} face "kind:face" or '' @returns {string} */
export const throwAddress = (number, face) => `/history/${number}${face ? `?${new URLSearchParams({ face })}` : ''}`;

/** Return the choices of a face: those of all kinds of a die set, and the chosen one while nothing is known of its dice. @param {{kind: string, title: string, faces: {face: string, title: string}[]}[]} kinds @param {string} chosen "kind:face" or '' @returns {{key: string, title: string}[]} */
export function faceChoices(kinds, chosen) {
  const choices = kinds.flatMap((kind) => kind.faces.map(({ face, title }) => ({ key: `${kind.kind}:${face}`, title: kinds.length > 1 ? say('{kind}: {face}', { kind: kind.title, face: title }) : title })));
  return !chosen || choices.some(({ key }) => key === chosen) ? choices : [...choices, { key: chosen, title: chosen.slice(chosen.indexOf(':') + 1) }];
}

/** Return how a game came out: "Ann won", "Left before its end", "Dice were counted". @param {PastGame} game @returns {string} */
export function resultOf({ game, finished, seats }) {
  if (game === PLAIN_DICE) return say('Dice were counted');
  if (seats.some(({ score }) => score === null)) return say('Still being counted');
  if (!finished) return say('Left before its end');
  const winners = seats.filter(({ won }) => won).map(({ name }) => name);
  return seats.length > 1 && winners.length ? sayCount('{names} won', '{names} won', winners.length, { names: listed(winners) }) : say('Played to the end');
}

/** Return the title of a game by its name. @param {{name: string, title: string}[]} games @param {string} name @returns {string} */
export const titleOf = (games, name) => games.find((game) => game.name === name)?.title ?? name;

/** Return the remembered player of a seat, undefined for a forgotten one. @param {{number: number}[]} players @param {number} number @returns {any} */
export const playerOf = (players, number) => players.find((player) => player.number === number);

/** Return the place of the step that shows an entry: its own, else the first one after it, else the last. @param {{entry: number}[]} steps @param {number} entry @returns {number} */
export function placeOf(steps, entry) {
  const place = steps.findIndex((step) => step.entry >= entry);
  return place < 0 ? Math.max(0, steps.length - 1) : place;
}

/** Return the place of the first throw in which a face was read, 0 where there is none. @param {{read: string[]}[]} steps @param {string} face "kind:face" @returns {number} */
export const placeOfFace = (steps, face) => Math.max(0, steps.findIndex(({ read }) => read.includes(face)));

/** Return the place to which a key leads. @param {string} key @param {number} place @param {number} count @returns {number} */
export function placeAfterKey(key, place, count) {
  const last = Math.max(0, count - 1);
  const places = { ArrowLeft: place - 1, ArrowRight: place + 1, PageUp: place - 10, PageDown: place + 10, Home: 0, End: last };
  return Math.min(last, Math.max(0, places[key] ?? place));
}

/** Return by how much each score has changed since the step before. @param {{scores: number[]}[]} steps @param {number} place @returns {number[]} */
export const gainsAt = (steps, place) => steps[place].scores.map((score, seat) => score - (steps[place - 1]?.scores[seat] ?? 0));

/** Return the picture of a step; of a step that has none, a tap, the last one before it; '' without any. @param {{picture: string, calls: {sentence: string}[]}[]} steps @param {number} place @returns {{picture: string, isEarlier: boolean, sentence: string}} */
export function pictureAt(steps, place) {
  const shown = steps.slice(0, place + 1).findLastIndex(({ picture }) => picture);
  if (shown < 0) return { picture: '', isEarlier: false, sentence: '' };
  return { picture: steps[shown].picture, isEarlier: shown < place, sentence: steps[shown].calls[0].sentence };
}
