// Numbers, counts, times and names as people read them, in the language of the page. No DOM.

import { locale, say, sayCount } from './say.js';

/** @type {Intl.DateTimeFormatOptions} */
const DATE_TIME = { day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' };
const ISO_DATE_TIME = /^\d{4}-\d\d-\d\dT/;

/** Return a part's share of a whole, 0 for an empty whole. @param {number} part @param {number} whole @returns {number} */
export const ratio = (part, whole) => (whole > 0 ? part / whole : 0);

/** Return a share in percent with one decimal where it has one: "98.2 %". @param {number} share @returns {string} */
export const percent = (share) => `${percentFigure(share)} %`;

/** Return a confidence interval in percent: "98.2 to 99.9 %". @param {{low: number, high: number}} interval @returns {string} */
export function percentRange({ low, high }) {
  const [from, to] = [percentFigure(low), percentFigure(high)];
  return from === to ? percent(low) : say('{from} to {to} %', { from, to });
}

const percentFigure = (share) => tenths(Math.round(share * 1000) / 10);

const tenths = (number) => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(number);

/** Return an ISO 8601 time as "21 November at 18:30"; other text as it is. @param {string} time @returns {string} */
export const dateTime = (time) => written(time, DATE_TIME);

/** Return the time of something that may be years ago: "21 November 2026 at 18:30". @param {string} time @returns {string} */
export const pastTime = (time) => written(time, { ...DATE_TIME, year: 'numeric' });

/** Return a past time, and that it is not sure where the clock may have been wrong. @param {string} time @param {boolean} isDoubted @returns {string} */
export const clockTime = (time, isDoubted) =>
  isDoubted ? say('{time} (the clock may have been wrong)', { time: pastTime(time) }) : pastTime(time);

/** Return when a game was over. @param {{ended_at: string, clock_doubted: boolean}} game @returns {string} */
export const gameTime = (game) => clockTime(game.ended_at, game.clock_doubted);

/** @param {string} time @param {Intl.DateTimeFormatOptions} form @returns {string} */
function written(time, form) {
  const date = ISO_DATE_TIME.test(time) ? new Date(time) : null;
  return date && !Number.isNaN(date.getTime()) ? date.toLocaleString(locale, form) : time;
}

/** Return how long a code is still valid. @param {number} seconds @returns {string} */
export const timeLeft = (seconds) => (seconds > 60 ? sayCount('{count} minute left', '{count} minutes left', Math.ceil(seconds / 60)) : say('less than a minute left'));

/** Return a waiting time: seconds up to 89, then minutes. @param {number} seconds @returns {string} */
export const waitingTime = (seconds) => (seconds < 90 ? `${seconds} s` : sayCount('{count} minute', '{count} minutes', Math.ceil(seconds / 60)));

/** Return a disk quota: "500 MB", "2 GB". @param {number} megabytes @returns {string} */
export const quota = (megabytes) => (megabytes < 1000 ? `${megabytes} MB` : `${tenths(megabytes / 1000)} GB`);

/** Return the disk space in use, with a decimal below 10 MB. @param {number} megabytes @returns {string} */
export const diskUse = (megabytes) => say('{megabytes} MB used', { megabytes: tenths(megabytes < 10 ? megabytes : Math.round(megabytes)) });

/** Return names as a list: "Ann, Bob and Cy". @param {string[]} names @returns {string} */
export const listed = (names) => new Intl.ListFormat(locale).format(names);

/** Return a text with a capital letter at its beginning. @param {string} text @returns {string} */
export function capitalized(text) {
  const [first = '', ...others] = text;
  return first.toUpperCase() + others.join('');
}

/** Return the first name that stands twice, case and spaces ignored, or undefined. @param {string[]} names @returns {string | undefined} */
export const duplicate = (names) => {
  const read = names.map((name) => name.normalize('NFKC').toLowerCase().trim().replace(/\s+/g, ' '));
  return names.find((_, place) => read.indexOf(read[place]) < place);
};
