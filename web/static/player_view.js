// What the pages of the players show: figures with the addresses behind them, the words of luck, looks and achievements. No DOM.

import { gameAddress, queryOf } from './past_games_view.js';
import { locale, say, sayCount } from './say.js';

/**
 * @typedef {{name: string, value: string, note: string, href: string}} Figure `href` leads to what the figure came from
 * @typedef {{game: string, games: number, with_others: number, wins: number, average: number, best_score: number, best_score_in: number, best_turn: number, best_turn_in: number, best_turn_entry: number, throws: number, stops: number, stop_chance: number, luck: number | null, points_luck: number, luck_in_points: number | null, risk_taken: number | null}} Sums
 * @typedef {{name: string, title: string, text: string, level: number, levels: number, occasions: number, next: number, reached_in: number, reached_entry: number}} Progress
 */

const USUAL = 1;
const RARE = 2;

const decimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
const signed = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });

/** Return a number as the page's language writes it, with a decimal where it has one. @param {number} value @returns {string} */
export const figure = (value) => decimal.format(value);

/** Return what standard deviations of luck mean. @param {number} luck @returns {string} */
export function luckWord(luck) {
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
