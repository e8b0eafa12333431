// What people and hands did to the game besides playing it: a line for each, with the die before and after; and the marks of dice.

import { faceOrTitle } from './die_faces.js';
import { h, svg } from './dom.js';
import { say } from './say.js';

const SYMBOLS = { correct: 'pen', undo: 'back', answer: 'speech', laid: 'hand', remark: 'hand', departed: 'hand', blind: 'unseen', challenge: 'flag', play: 'tap' };

/** The marks of dice: a symbol, and the word under the die. */
const MARKS = {
  corrected: ['pen', say('corrected')],
  answered: ['speech', say('answered')],
  'by-hand': ['tap', say('by hand')],
  placed: ['hand', say('set down')],
  turned: ['hand', say('turned')],
  returned: ['hand', say('put back')],
  unseen: ['unseen', say('not seen')],
};

/** How many lines the page has room for. */
export const MOST_LINES = 3;

/** Return the lines that are shown, the newest first. @param {any[]} done @returns {any[]} */
export const shownLines = (done) => done.slice(0, MOST_LINES);

/** Return the symbol of a line. @param {any} done @returns {string} */
export const symbolOf = ({ deed }) => SYMBOLS[deed] ?? 'hand';

/** Return who did it: the device, or what stands in for one without a name. @param {any} done @returns {string} */
export const deviceOf = ({ device, source }) => device || (source === 'camera' ? say('Seen by the camera') : say('A tablet'));

/** Return the symbol and the word of a die's mark; null for a die that was simply thrown and read. @param {any} die @returns {{symbol: string, word: string} | null} */
export function markOf({ mark }) {
  if (!mark) return null;
  const [symbol, word] = MARKS[mark] ?? ['hand', mark];
  return { symbol, word };
}

const PATHS = {
  pen: 'M18 82l6-22L66 18l16 16-42 42zM58 26l16 16',
  back: 'M34 22 14 42l20 20M14 42h44a24 24 0 0 1 0 48H40',
  speech: 'M14 18h72v48H46L28 84V66H14z',
  hand: 'M30 90V50L18 38M30 50V18M44 48V12M58 48V16M72 54V26M72 54v20L60 90z',
  flag: 'M24 92V12h52L62 32l14 20H24',
  unseen: 'M12 50q38-44 76 0-38 44-76 0zM50 38v24M18 84 82 16',
  lean: 'M30 86 14 40l46-16 16 46zM8 92h84',
  away: 'M14 60h36v32H14zM56 52q6-34 30-34M70 12l18 6-8 18',
  tap: 'M40 88V30a8 8 0 0 1 16 0v24l26 8-6 26M28 30a20 20 0 0 1 40 0',
};

/** Draw a symbol, hidden from screen readers: words stand next to it. @param {string} name @param {string} className @returns {SVGElement} */
export function symbolIcon(name, className = 'symbol') {
  return svg('svg', { viewBox: '0 0 100 100', class: className, 'aria-hidden': 'true', focusable: 'false' },
    svg('path', { d: PATHS[name] ?? PATHS.hand, fill: 'none', stroke: 'currentColor', 'stroke-width': 8, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' }));
}

/** Draw the lines, the newest first; nothing where there are none. @param {any[]} done @returns {any} */
export function drawInterventions(done) {
  if (!done.length) return [];
  return h('ol', { class: 'interventions' }, done.map((each) =>
    h('li', { 'data-number': each.number, 'data-deed': each.deed },
      symbolIcon(symbolOf(each)),
      each.old && each.new && h('span', { class: 'change' }, faceOrTitle(each.old.face, each.old.title, 'face was'), h('span', { 'aria-hidden': 'true' }, '→'), faceOrTitle(each.new.face, each.new.title)),
      h('span', { class: 'what' }, each.sentence),
      h('span', { class: 'who' }, deviceOf(each)))));
}
