// The page that lists the overlays: each with a preview, by the same drawing, and the address to copy.

import { byId, copyField, h, redraw, toast } from '../dom.js';
import { followTable } from '../events.js';
import { language, say } from '../say.js';
import { diceDrawing, drawCard, drawScore, rulingView, scoreView } from './overlay_parts.js';

const drawDice = diceDrawing();

const OVERLAYS = [
  { part: 'score', title: say('Scores'), what: say('Names, scores, whose turn it is, and the points at risk.'), view: scoreView, draw: drawScore },
  { part: 'dice', title: say('Dice'), what: say('The dice as they lie, in their own faces and colours.'), view: ({ dice, game, extras }) => ({ dice, game, extras: { table: extras.table } }), draw: drawDice },
  { part: 'ruling', title: say('Ruling'), what: say('Each new ruling with its sum; it goes away after some seconds.'), view: (snapshot) => (snapshot.calls.length ? rulingView(snapshot) : null), draw: drawCard },
];

const addressOf = (part) => `${location.origin}/overlay/${part}?lang=${language}`;

function drawOverlay({ part, title, what }) {
  const address = h('input', { type: 'text', readonly: true, value: addressOf(part), id: `address-${part}`, 'aria-label': say('Address of this overlay') });
  return h('section', { class: 'listed', 'data-part': part },
    h('h2', {}, title), h('p', {}, what),
    h('div', { class: 'preview' }, h('div', { class: `overlay ${part} stays`, id: `preview-${part}` })),
    h('div', { class: 'address' }, address,
      h('button', { type: 'button', class: 'main', 'data-copy': part, onclick: () => copy(/** @type {HTMLInputElement} */ (address)) }, say('Copy')),
      h('a', { class: 'button quiet', href: addressOf(part) }, say('Open'))));
}

/** @param {HTMLInputElement} input */
const copy = (input) => toast(copyField(input) ? say('The address is copied.') : say('Copy the marked address yourself.'));

function show(snapshot) {
  byId('overlays-state').textContent = snapshot.state ? '' : say('No game is on: the overlays stay empty until one begins.');
  for (const { part, view, draw } of OVERLAYS) redraw(byId(`preview-${part}`), view(snapshot), draw);
}

byId('overlays-list').replaceChildren(...OVERLAYS.map(drawOverlay));
followTable({ onSnapshot: show, onLost: () => {}, onSlept: () => {} });
