// An overlay of a stream: it follows the table by itself, and shows one part of it over the streaming program's picture.

import { byId, redraw } from '../dom.js';
import { followTable } from '../events.js';
import { diceDrawing, drawCard, drawScore, nextRuling, scoreView } from './overlay_parts.js';

const COLOURS = ['accent', 'text', 'panel'];
const NUMBERS = ['scale', 'seconds'];

const root = document.documentElement;
const main = byId('overlay');

/** @type {import('./overlay_parts.js').RulingMemory} */
let memory = null;
const drawDice = diceDrawing();

/** What the address chose: the server has checked each value, and wrote no other. */
for (const name of [...COLOURS, ...NUMBERS]) {
  const value = root.dataset[name];
  if (value) root.style.setProperty(`--overlay-${name}`, value);
}

const SHOW = {
  score: (snapshot) => redraw(main, scoreView(snapshot), drawScore),
  dice: ({ dice, game, extras }) => redraw(main, { dice, game, extras: { table: extras.table } }, drawDice),
  ruling: (snapshot) => {
    const next = nextRuling(memory, snapshot);
    memory = next.memory;
    if (next.ruling !== undefined) main.replaceChildren(...[drawCard(next.ruling)].flat());
  },
};

/** Dice and scores that may be old by now are not shown as if they were true: the stylesheet dims them. */
const showLost = (isLost) => main.classList.toggle('lost', isLost);

function show(snapshot) {
  SHOW[main.dataset.part](snapshot);
  main.dataset.number = snapshot.number;
}

followTable({ onSnapshot: show, onLost: showLost, onSlept: () => {}, query: `?lang=${root.lang}` });
