// Which of the players' boards are shown, and how: their game sheets one at a time, small boards side by side. No DOM.

/**
 * @typedef {{name: string, value: string}} Fact
 * @typedef {{key: string, cells: string[], mark: string, taps: number}} BoardRow
 * @typedef {{seat: number, title: string, facts: Fact[], columns: string[], rows: BoardRow[], parts: any[], brief: string[]}} Board seat 0 is the middle of the table
 */

const MOST_ROWS = 6;
const MOST_FACTS = 3;

/** Return true if a player's boards are a game sheet, which is so large that one player's is shown at a time. @param {Board[]} boards @returns {boolean} */
export function hasSheets(boards) {
  const rows = new Map();
  for (const { seat, rows: { length } } of boards) if (seat) rows.set(seat, (rows.get(seat) ?? 0) + length);
  return Math.max(0, ...rows.values()) > MOST_ROWS;
}

/** Return whose sheet is shown: the chosen player's, else the tablet's own, else that of the first to act; 0 for nobody's. @param {Board[]} boards @param {number} chosen @param {number} own @param {number[]} acting @returns {number} */
export function seatInFront(boards, chosen, own, acting) {
  const seats = [...new Set(boards.map(({ seat }) => seat))].filter(Boolean);
  return [chosen, own, ...acting, ...seats].find((seat) => seats.includes(seat)) ?? 0;
}

/** Return the boards to show: all, or the front player's and the middle's, so that others' changes redraw nothing. @param {Board[]} boards @param {number} front @returns {Board[]} */
export const boardsToShow = (boards, front) => (front ? boards.filter(({ seat }) => !seat || seat === front) : boards);

/** Return true if a board holds anything. @param {Board} board @returns {boolean} */
export const isFilled = ({ facts, rows, parts }) => facts.length > 0 || rows.length > 0 || parts.length > 0;

/** Return the names of the boards' facts, each once. @param {Board[]} boards @returns {string[]} */
export const factNames = (boards) => [...new Set(boards.flatMap(({ facts }) => facts.map(({ name }) => name)))];

/** Return true if the players' boards hold so little that one table shows them. @param {Board[]} boards @returns {boolean} */
export const fitsOneTable = (boards) =>
  boards.length > 1 && boards.every(({ rows, parts }) => !rows.length && !parts.length) && factNames(boards).length <= MOST_FACTS;

/** Return the boards with the tablet's own first. @param {Board[]} boards @param {number} own @returns {Board[]} */
export const ownFirst = (boards, own) => [...boards].sort((one, other) => Number(other.seat === own) - Number(one.seat === own));

/** Return what the boards show of a snapshot on this tablet. @param {any} snapshot @param {{own: number, front: number, over: boolean, mayDecide: boolean}} viewer @returns {import('./boards.js').BoardsView} */
export const boardsView = ({ game, state, boards, offers, dice, extras, unsaved }, viewer) => ({
  ...viewer,
  mayDecide: viewer.mayDecide && !unsaved,
  boards: boardsToShow(boards, viewer.front),
  acting: state?.to_act ?? [],
  players: state?.players ?? [],
  offers,
  dice,
  kinds: game?.kinds ?? [],
  dieSet: game?.die_set ?? '',
  step: extras.step ?? '',
});

/**
 * Return what tells whether a choice that was begun may go on: the step of the game; with a sheet in front, on which
 * several players act at once, what is on that sheet and in the middle.
 * @param {{boards: Board[], front: number, step: string}} view @returns {string}
 */
export const boardsStamp = ({ boards, front, step }) => (front ? JSON.stringify(boards, (name, value) => (name === 'facts' ? undefined : value)) : step);
