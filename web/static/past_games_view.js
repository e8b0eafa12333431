// What the pages of past games, players and the dice test show: titles, results, figures with the addresses behind them. No DOM.

import { PLAIN_DICE } from './api.js';
import { listed } from './format.js';
import { locale, say, sayCount } from './say.js';

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

/* The dice test */

/**
 * @typedef {{face: string, title: string, read: number, expected: number, low: number, high: number}} Face
 * @typedef {{kind: string, title: string, dice: number, needed: number, p_value: number, is_suspicious: boolean, faces: Face[]}} Kind
 */

const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
/** Writes a share in percent. */
const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });

/** Return a count as the page's language writes it. @param {number} count @returns {string} */
export const count = (count) => whole.format(count);

/** Return the address of the games behind a count: those with throws of a set of dice, in which a face was read where one is given. @param {string} dice the die set @param {string} kind @param {string} face @returns {string} */
export const behind = (dice, kind = '', face = '') => `/history${queryOf({ dice, face: face && `${kind}:${face}` })}`;

/** Return what the test found. @param {Kind} kind @param {number} checked dice of which people said whether they were read right @returns {string} */
export function verdict({ is_suspicious, p_value }, checked) {
  if (!checked) return say('Nobody has answered yet whether throws were read right, so nothing can be said.');
  const chance = share.format(p_value);
  return is_suspicious
    ? say('Uneven beyond chance: only {chance} of fair dice are read so unevenly.', { chance })
    : say('Nothing speaks against fair dice: {chance} of fair dice are read so unevenly or more.', { chance });
}

/** Return how many throws the test needs, and whether there are enough. @param {Kind} kind @returns {string} */
export function enough({ dice, needed }) {
  const counts = { dice: count(dice), needed: count(needed) };
  if (!needed) return say('{dice} dice were read. Say of more throws whether they were read right: as yet no number of dice finds a loaded one.', counts);
  return dice >= needed
    ? say('{dice} dice were read. That finds a die that shows one face a fifth more often in 8 of 10 cases ({needed}).', counts)
    : say('{dice} dice were read. With {needed}, a die that shows one face a fifth more often is found in 8 of 10 cases.', counts);
}

/** Return the highest count of a plot. */
const top = (faces) => Math.max(1, ...faces.map(({ read, high }) => Math.max(read, high))) * 1.05;

/** Return the faces as a plot has them, in fractions of its height from the foot. @param {Face[]} faces @returns {(Face & {bar: number, mark: number, from: number, to: number, isOutside: boolean})[]} */
export function bars(faces) {
  const highest = top(faces);
  return faces.map((face) => ({
    ...face, bar: face.read / highest, mark: face.expected / highest, from: face.low / highest, to: face.high / highest,
    isOutside: face.read < face.low || face.read > face.high,
  }));
}

/**
 * @typedef {{kind: string, read: string, shows: string, is_wrong: boolean}} CheckedDie
 */

/** Return the dice of a checked throw that were read right, in words: "3 × Green, Yellow"; '' for none. @param {CheckedDie[]} dice @returns {string} */
export function rightDice(dice) {
  const faces = new Map();
  for (const { shows } of dice.filter(({ is_wrong }) => !is_wrong)) faces.set(shows, (faces.get(shows) ?? 0) + 1);
  return listed([...faces].map(([face, times]) => (times > 1 ? say('{count} × {face}', { count: times, face }) : face)));
}

/** Return a sentence for each die of a checked throw that was read wrong. @param {CheckedDie[]} dice @returns {string[]} */
export const wrongDice = (dice) => dice.filter(({ is_wrong }) => is_wrong).map(({ read, shows }) => say('Read as {read}, and it shows {shows}', { read, shows }));

/* Players */

/**
 * @typedef {{name: string, value: string, note: string, href: string}} Figure `href` leads to what the figure came from
 * @typedef {{game: string, games: number, with_others: number, wins: number, average: number, best_score: number, best_score_in: number, best_turn: number, best_turn_in: number, best_turn_entry: number, throws: number, stops: number, stop_chance: number, luck: number | null, points_luck: number, luck_in_points: number | null, risk_taken: number | null}} Sums
 * @typedef {{name: string, title: string, text: string, level: number, levels: number, occasions: number, next: number, reached_in: number, reached_entry: number}} Progress
 */

const USUAL = 1;
const RARE = 2;

const decimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const signed = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });

/** Return a number as the page's language writes it, with a decimal where it has one. */
const figure = (value) => decimal.format(value);

/** Return what standard deviations of luck mean. */
function luckWord(luck) {
  if (Math.abs(luck) < USUAL) return say('as chance has it');
  if (luck > 0) return luck < RARE ? say('a little lucky') : say('very lucky');
  return luck > -RARE ? say('a little unlucky') : say('very unlucky');
}

/** Return a player's figures at one game, each with the address of what it came from. @param {Sums} sums @param {number} player @param {number} against 0 for all games @returns {Figure[]} */
export function figuresOf(sums, player, against) {
  const list = `/history${queryOf({ game: sums.game, player, against })}`;
  const figures = [
    { name: say('Played'), value: figure(sums.games), note: '', href: list },
    sums.with_others > 0 && { name: say('Won'), value: figure(sums.wins), note: say('of {games} with others', { games: sums.with_others }), href: list },
    { name: say('Best score'), value: figure(sums.best_score), note: say('on average {average}', { average: figure(sums.average) }), href: gameAddress(sums.best_score_in) },
    sums.best_turn > 0 && { name: say('Best turn'), value: figure(sums.best_turn), note: '', href: gameAddress(sums.best_turn_in, sums.best_turn_entry) },
    sums.risk_taken !== null && { name: say('Risk taken'), value: share.format(sums.risk_taken), note: say('to lose the turn, per throw'), href: list },
    ...luckOf(sums, list),
  ];
  return figures.filter(Boolean);
}

/** Luck against the exact chances: of throws that were stopped, and of points. @param {Sums} sums @param {string} href @returns {Figure[]} */
function luckOf({ luck, luck_in_points, stops, stop_chance, points_luck }, href) {
  const found = [];
  if (luck !== null) found.push({ name: say('Luck with stops'), value: signed.format(luck), note: sayCount('{word}: {count} throw stopped, {expected} on average', '{word}: {count} throws stopped, {expected} on average', stops, { word: luckWord(luck), expected: figure(stop_chance) }), href });
  if (luck_in_points !== null) found.push({ name: say('Luck with points'), value: signed.format(luck_in_points), note: say('{word}: {points} points, set against the average', { word: luckWord(luck_in_points), points: signed.format(points_luck) }), href });
  return found;
}

/** Return why a player's figures at a game lack a kind of luck; '' where they lack none. @param {Sums} sums @returns {string} */
export function luckNote({ throws, luck, luck_in_points }) {
  if (!throws || luck_in_points !== null) return '';
  if (luck !== null) return say('No throw brought points by itself: luck with points is not counted.');
  return say('No throw ended a turn or brought points by itself: luck is not counted.');
}

/** Return how two players fared against each other, a row a game. @param {Sums[]} own @param {Sums[]} theirs @returns {{game: string, won: number, lost: number, games: number}[]} */
export const headToHead = (own, theirs) => own.map(({ game, wins, games }) => ({ game, won: wins, lost: theirs.find((sums) => sums.game === game)?.wins ?? 0, games }));

/** Return the stars of a level: "★★☆". @param {number} level @param {number} levels @returns {string} */
export const stars = (level, levels) => '★'.repeat(level) + '☆'.repeat(levels - level);

/** Return how many levels of an achievement are reached, for screen readers. @param {number} level @param {number} levels @returns {string} */
export const levelWords = (level, levels) => say('Level {level} of {levels}', { level, levels });

/** Return the address of what an achievement came from: where its level was reached, else the player's games; '' where there is nothing yet. @param {Progress} progress @param {number} player @returns {string} */
export function cameFrom({ reached_in, reached_entry, occasions }, player) {
  if (reached_in) return gameAddress(reached_in, reached_entry);
  return occasions ? `/history${queryOf({ player })}` : '';
}

/** Return how far it is to the next level. @param {Progress} progress @returns {string} */
export const progressWords = ({ occasions, next }) => (next ? say('{occasions} of {next}', { occasions, next }) : sayCount('{count} time', '{count} times', occasions));

/** Return the achievements in order: those with a level first, the highest of them first. @param {Progress[]} achievements @returns {Progress[]} */
export const inOrder = (achievements) => [...achievements].sort((one, other) => other.level / other.levels - one.level / one.levels || Number(other.level > 0) - Number(one.level > 0));

/** Return the word for a colour that a player may have. @param {string} colour @returns {string} */
export const colourWord = (colour) => COLOURS[colour] ?? colour;

/** Return the word for a picture that a player may have. @param {string} picture @returns {string} */
export const pictureWord = (picture) => PICTURES[picture] ?? picture;

const COLOURS = { red: say('Red'), orange: say('Orange'), yellow: say('Yellow'), green: say('Green'), teal: say('Teal'), blue: say('Blue'), violet: say('Violet'), pink: say('Pink') };
const PICTURES = {
  fox: say('Fox'), owl: say('Owl'), cat: say('Cat'), bear: say('Bear'), whale: say('Whale'), frog: say('Frog'),
  rabbit: say('Rabbit'), snail: say('Snail'), moon: say('Moon'), tree: say('Tree'), boat: say('Boat'), kite: say('Kite'),
};
