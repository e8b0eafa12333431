// What the page shows of interventions and of marks on dice: words and symbols. No DOM.

import { say } from './say.js';

const SYMBOLS = { correct: 'pen', undo: 'back', answer: 'speech', laid: 'hand', remark: 'hand', departed: 'hand', blind: 'unseen', unanswered: 'speech', challenge: 'flag', play: 'tap' };

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
