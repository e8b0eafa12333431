// What a player's sheet shows: its sections, spaces, turns, and the short words of a choice at a space. No DOM.

import { say, sayCount } from '../say.js';

const MOST_SHORT = 3;

/** Return true if a board is a sheet: sections with several places each. @param {{parts: any[]}} board @returns {boolean} */
export const isSheet = ({ parts }) => parts.filter(({ part, places }) => part === 'section' && places.length > MOST_SHORT).length > 1;

/** Return the parts of a sheet: its sections, the dice that are left, and the others. @param {{parts: any[]}} board @returns {{sections: any[], hand: any | null, others: any[]}} */
export function sheetParts({ parts }) {
  const sections = parts.filter(({ part }) => part === 'section');
  const hand = parts.find(({ part }) => part === 'dice') ?? null;
  return { sections, hand, others: parts.filter((part) => part !== hand && part.part !== 'section') };
}

/** Return the section that a narrow page shows: the chosen one, else where the player is, else the first with something to do, else the first. @param {any[]} sections @param {string} chosen @returns {string} */
export function sectionInFront(sections, chosen) {
  const isOpen = ({ places }) => places.some(({ taps }) => taps > 0);
  const found = sections.find(({ key }) => key === chosen) ?? sections.find(({ is_here: isHere }) => isHere) ?? sections.find(isOpen) ?? sections[0];
  return found?.key ?? '';
}

/** Return the title that begins a name of an award, and the points that it brings: `Most, 5 / 3`. @param {string} name @returns {[string, string]} */
export function awardWords(name) {
  const [title, ...points] = name.split(', ');
  return [title, points.join(', ').replaceAll(' / ', '/')];
}

/** Return an hour without its words, for a narrow cell: `11` for `11 am`, `13` for `13 Uhr`. @param {string} hour @returns {string} */
export const shortHour = (hour) => hour.replace(/ \D+$/, '');

/** Return how many spaces of a place are still empty. @param {{dice: any[], room: number}} place @returns {number} */
export const emptySpaces = ({ dice, room }) => Math.max(0, room - dice.length);

/** So many dice of an area are written one by one; more of them by value. */
const MOST_SINGLE = 6;

/** Return the dice of an area as they are written: each by itself while they are few, else each value once with how many show it. @param {{title: string}[]} dice @returns {{title: string, count: number}[]} */
export function writtenDice(dice) {
  if (dice.length <= MOST_SINGLE) return dice.map(({ title }) => ({ title, count: 1 }));
  const titles = [...new Set(dice.map(({ title }) => title))].sort();
  return titles.map((title) => ({ title, count: dice.filter((die) => die.title === title).length }));
}

/** Return true if a place is an area for dice without spaces of its own, such as one for excess. @param {{room: number}} place @returns {boolean} */
export const isArea = ({ room }) => room === 0;

/** Return the place that is filled in after this one: the next of its section that is still without a price and has several to choose from; null for none. @param {{parts: any[]}} board @param {string} key @returns {any} */
export function nextToFill({ parts }, key) {
  const places = parts.find(({ places: all }) => all?.some((place) => place.key === key))?.places ?? [];
  const here = places.findIndex((place) => place.key === key);
  return [...places.slice(here + 1), ...places.slice(0, here)].find(({ price, taps }) => !price && taps > 1) ?? null;
}

/** Return what is said of an activity to a screen reader. @param {any} place @returns {string} */
export function placeLabel({ title, dice, room, points, price, needs, mark }) {
  const done = dice.length > 0 && room > 0;
  return [
    title,
    points !== null && sayCount('{count} point', '{count} points', points),
    room > 0 && (done ? say('done with {dice}', { dice: dice.map((die) => die.title).join(', ') }) : sayCount('{count} die, {needs}', '{count} dice, {needs}', room, { needs })),
    room > 0 && (price ? say('price {price}', { price }) : say('no price')),
    mark === 'open' && say('bought'),
  ].filter(Boolean).join(', ');
}
