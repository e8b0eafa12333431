// How the parts of a board are placed: where tokens stand on a road, and what a part says to a screen reader. No DOM.

import { say } from '../say.js';

/** Tokens nearer to each other than this, in percent of the road, stand one above the other. */
const APART = 7;
/** What the number at a ghost takes up of a short road, in percent: no other token stands there in its row. */
const GHOST = 20;
/** A ghost so near to its own token, this far along the road, has no room after it and stands before it. */
const NEAR_END = 75;

/**
 * Return where everything stands on a track, in percent of its length: the goal, the marks, and each token with the
 * row in which it does not cover another one. A track that somebody is beyond the goal of is drawn longer.
 * @param {{goal: number, tokens: {seat: number, at: number, at_risk: number}[], marks: number[]}} track
 * @returns {{goal: number, rows: number, marks: {number: number, at: number}[], tokens: {seat: number, points: number, risk: number, at: number, to: number, row: number, isBefore: boolean}[]}} `isBefore` where the ghost has room before its token alone
 */
export function trackView({ goal, tokens, marks }) {
  const end = Math.max(goal, 1, ...tokens.map(({ at, at_risk: risk }) => at + risk));
  const share = (points) => Math.max(0, Math.min(100, (100 * points) / end));
  /** @type {number[]} */
  const ends = [];
  const placed = [...tokens].sort((one, other) => one.at - other.at || one.seat - other.seat).map(({ seat, at, at_risk: risk }) => {
    const here = share(at);
    const to = share(at + risk);
    const isBefore = risk > 0 && here > NEAR_END && to - here < GHOST;
    const free = ends.findIndex((last) => here - (isBefore ? GHOST : 0) - last >= APART);
    const row = free < 0 ? ends.length : free;
    ends[row] = risk > 0 && !isBefore ? to + GHOST : to;
    return { seat, points: at, risk, at: here, to, row, isBefore };
  });
  return { goal: share(goal), rows: Math.max(1, ends.length), marks: marks.map((number) => ({ number, at: share(number) })), tokens: placed };
}

/** Return what stands on a player's token: the first letter of the name, two where others begin alike, else the letter and the seat. @param {{seat: number, name: string}[]} players @param {number} seat @returns {string} */
export function initialsOf(players, seat) {
  const beginning = (player, length) => [...(player?.name.trim() ?? '')].slice(0, length).join('').toLowerCase();
  const own = players.find((player) => player.seat === seat);
  const isOwnAlone = (length) => players.every((player) => player.seat === seat || beginning(player, length) !== beginning(own, length));
  const length = [1, 2].find(isOwnAlone);
  const [first = '', ...others] = beginning(own, length ?? 1);
  return first.toUpperCase() + (length ? others.join('') : seat);
}

/** Return a track in words: each player's points, and those at risk. @param {any} track @param {{seat: number, name: string}[]} players @returns {string} */
export const trackWords = ({ goal, tokens }, players) => tokens.map(({ seat, at, at_risk: risk }) => {
  const name = players.find((player) => player.seat === seat)?.name ?? '';
  return risk ? say('{name} {points} and {risk} at risk of {goal}', { name, points: at, risk, goal }) : say('{name} {points} of {goal}', { name, points: at, goal });
}).join(', ');

const COLOURS = { green: say('green'), yellow: say('yellow'), red: say('red'), white: say('not thrown yet') };

/** Return lights in words: which are lit, each colour with its number. @param {any} lights @returns {string} */
export function lightWords({ lights }) {
  const lit = new Map();
  for (const { colour, is_lit: isLit } of lights) if (isLit) lit.set(colour, (lit.get(colour) ?? 0) + 1);
  const dark = lights.length - [...lit.values()].reduce((sum, count) => sum + count, 0);
  const words = [...lit].map(([colour, count]) => `${count} ${COLOURS[colour] ?? colour}`);
  return [...words, dark && say('{count} unlit', { count: dark })].filter(Boolean).join(', ') || say('none');
}

/** Return the parts of a board that are shown of a player who does not act, in their order. @param {{parts: any[], brief: string[]}} board @returns {any[]} */
export const briefParts = ({ parts, brief }) => parts.filter(({ key }) => brief.includes(key));
