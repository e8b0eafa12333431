// Whose turn it is and what is to be done; before a game the welcome, after it the winner.

import { h } from './dom.js';
import { say } from './say.js';
import { standings, turnTitle, winnerTitle } from './table_view.js';

const LONG_TITLE = 10;
const LONG_PROMPT = 92;
const LONG_FACT = 28;
const FACT_NAMES = { doubts: say('Doubts'), waits: say('Waits') };
const MOTION = { moving: say('The dice are moving'), 'a hand is in it': say('A hand is in the tray') };

/** Draw the turn. @param {any} view @param {() => void} setUp @param {() => void} join shows the code for phones @returns {any} */
export function drawTurn({ state, prompt, gained, isOfHall }, setUp, join) {
  if (!state) return drawWelcome(setUp, isOfHall && join);
  const title = turnTitle(state);
  return [
    h('h1', { class: title.length > LONG_TITLE && 'long', title }, title),
    prompt && h('p', { class: prompt.length > LONG_PROMPT ? 'prompt long' : 'prompt', title: prompt }, prompt),
    gained > 0 && h('p', { class: 'gained' }, h('strong', {}, String(gained)), h('span', {}, say('this turn'))),
  ];
}

/** Draw what else is to be known. @param {Record<string, string>} facts @returns {any} */
export function drawFacts(facts) {
  const stated = Object.entries(facts);
  return stated.length > 0 && h('dl', { class: 'facts' }, stated.map(([name, value]) =>
    h('div', { class: value.length > LONG_FACT && 'long' }, h('dt', {}, FACT_NAMES[name]), h('dd', {}, value))));
}

function drawWelcome(setUp, join) {
  return h('div', { class: 'welcome' },
    h('h1', {}, say('Who plays?')),
    h('p', { class: 'prompt' }, say('Set up a game, then throw the dice. The referee reads them.')),
    h('button', { type: 'button', class: 'main', id: 'first-game', onclick: setUp }, say('Set up a game')),
    join && h('button', { type: 'button', class: 'quiet', id: 'join-by-phone', onclick: join }, say('Join in by phone')));
}

/** Return true if the game's own words say more than the title: of one player, or where nobody won. */
const tellsMore = ({ players, winner }) => players.length === 1 || !winner.length;

/** Draw the winner and the standing. @param {any} view @param {() => void} setUp @returns {HTMLElement} */
export function drawWinner({ state, lookBack }, setUp) {
  return h('div', { class: 'winner' },
    h('h1', { class: winnerTitle(state).length > LONG_TITLE && 'long' }, winnerTitle(state)),
    tellsMore(state) && h('p', { class: 'prompt' }, state.tell),
    h('ol', { class: 'standing' }, standings(state).map(({ seat, name, score }) =>
      h('li', { class: state.winner.includes(seat) && 'won' }, h('span', { title: name }, name), h('strong', {}, String(score))))),
    h('button', { type: 'button', class: 'main', id: 'again', onclick: setUp }, say('Play again')),
    lookBack && h('a', { class: 'button quiet', id: 'look-back', href: lookBack }, say('The result of this game')));
}

/** Draw what moves on the table, nothing at rest. @param {string} motion @returns {any} */
export const drawMotion = (motion) => MOTION[motion] ?? [];
