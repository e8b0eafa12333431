// Games that stand open: each with its players, their score, and the way back to it; in the dialog of a new game and above past games.

import { getJson, postJson } from './api.js';
import { confirmDialog } from './dialog.js';
import { h } from './dom.js';
import { dateTime } from './format.js';
import { say } from './say.js';
import { orShowError, toastError } from './toast.js';

/** Return the open games but the one on the table; none after a failure, which `show` shows. @param {(error: any) => void} show @returns {Promise<any[]>} */
export const fetchOpenGames = async (show = toastError) => standing(await orShowError(getJson('/api/open-games'), show));

const standing = (answer) => (answer?.games ?? []).filter(({ on_table: onTable }) => !onTable);

/** Draw the open games, nothing without any. @param {any[]} games @param {{playOn: (number: number) => any, end: (game: any) => any} | null} act null where nobody may @returns {any} */
export const drawOpenGames = (games, act) => games.length > 0 && h('fieldset', { class: 'open-games' }, h('legend', {}, say('Games that stand open')),
  h('ul', {}, games.map((game) => drawOpenGame(game, act))));

const playersOf = ({ seats }) => seats.map(({ name, score }) => (score === null ? name : `${name} ${score}`)).join(' · ');

function drawOpenGame(game, act) {
  const { number, title, played_at: playedAt } = game;
  const players = playersOf(game);
  const about = h('div', { class: 'about-open' }, h('strong', {}, title), h('span', {}, players), h('small', {}, dateTime(playedAt)));
  return h('li', { 'data-number': number }, about, act && h('div', { class: 'open-ways' },
    h('button', { type: 'button', class: 'main play-on', 'aria-label': say('Play on: {title}, {players}', { title, players }), onclick: () => act.playOn(number) }, say('Play on')),
    h('button', { type: 'button', class: 'quiet end-open', 'aria-label': say('End it: {title}, {players}', { title, players }), onclick: () => act.end(game) }, say('End it'))));
}

/** Go back to an open game. @param {number} number @param {string} step the page's @returns {Promise<any>} the snapshot, nothing where that was refused */
export const playOn = (number, step = '') => orShowError(postJson('/api/play-on', { number, step }));

/** Ask whether an open game shall end, and end it. @param {any} game @param {(left: any[]) => void} onEnded with the games that are left @returns {void} */
export function confirmEnd(game, onEnded) {
  const detail = say('{players}. It stands among the past games then, and cannot be played on.', { players: playersOf(game) });
  confirmDialog(say('End this game of {title}?', { title: game.title }), detail, say('End it'), async () => {
    const answer = await orShowError(postJson('/api/open-games/end', { number: game.number }));
    if (answer) onEnded(standing(answer));
  });
}
