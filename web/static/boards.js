// What lies before the players besides the dice: sheets, decks, chips. Drawn as rows and facts, whatever the game is.

import { h } from './dom.js';
import { faceIcon, isFace } from './die_faces.js';

const MOST_ROWS = 6;
const MOST_FACTS = 3;
const LONGEST_OPEN = 8;
const SHORT = 7;
const MARKS = { open: 'open', done: 'done', blocked: 'blocked', here: 'here' };

let chosen = 0;

/** Whether a player's boards are so many rows that one player's are shown at a time. */
export const areSheets = (boards) => {
  const rows = new Map();
  for (const board of boards) rows.set(board.seat, (rows.get(board.seat) ?? 0) + board.rows.length);
  rows.delete(0);
  return Math.max(0, ...rows.values()) > MOST_ROWS;
};

/** Whose sheet is in front: the one that was chosen, else the tablet's own, else that of the player to act. */
export function inFront(boards, own, acting) {
  const seats = [...new Set(boards.map(({ seat }) => seat))].filter(Boolean);
  return [chosen, own, ...acting, ...seats].find((seat) => seats.includes(seat)) ?? 0;
}

/** Bring a player's sheet to the front; 0 is nobody's in particular. */
export const bring = (seat) => (chosen = seat);

/** The boards that are in sight: all, or of sheets those of the player in front, so that others' changes redraw nothing. */
export const inSight = (boards, front) => (front ? boards.filter(({ seat }) => !seat || seat === front) : boards);

/** The boards: `tap` is called for a row that something may be done with, with what the row's sheet says of it. */
export function drawBoards({ boards, acting, own, over, front }, tap) {
  if (!boards.some(worthShowing)) return [];
  const middle = boards.filter((board) => board.seat === 0 && worthShowing(board));
  const seated = boards.filter((board) => board.seat !== 0 && worthShowing(board));
  const draw = (board) => drawBoard(board, acting, over, tap);
  if (!front) {
    const ownFirst = [...seated].sort((one, other) => (other.seat === own) - (one.seat === own));
    const drawn = inOneTable(seated) ? [drawTogether(seated, acting)] : ownFirst.map(draw);
    return h('div', { class: 'small-boards' }, middle.map(draw), drawn);
  }
  return [middle.map(draw), h('div', { class: 'in-front', 'data-seat': front }, seated.map(draw))];
}

const worthShowing = ({ facts, rows }) => facts.length > 0 || rows.length > 0;

const factsIn = (boards) => [...new Set(boards.flatMap(({ facts }) => facts.map(({ name }) => name)))];

/** Whether the players' boards hold so little that one table says it all. */
const inOneTable = (boards) => boards.length > 1 && boards.every(({ rows }) => !rows.length) && factsIn(boards).length <= MOST_FACTS;

function drawTogether(boards, acting) {
  const names = factsIn(boards);
  const values = ({ facts }) => names.map((name) => facts.find((fact) => fact.name === name)?.value ?? '');
  const rows = boards.map((board) => h('tr', { class: acting.includes(board.seat) && 'acting' },
    h('th', { scope: 'row' }, board.title), values(board).map((value) => h('td', {}, value))));
  return h('div', { class: 'board together' }, h('table', {},
    h('thead', {}, h('tr', {}, h('td', {}), names.map((name) => h('th', { scope: 'col' }, name)))), h('tbody', {}, rows)));
}

function drawBoard(board, acting, over, tap) {
  const { seat, title, facts, rows } = board;
  const long = rows.length > LONGEST_OPEN && !over && !rows.some(({ taps }) => taps);
  const table = rows.length > 0 && drawTable(board, tap);
  const told = facts.filter(({ value }) => value);
  return h('div', { class: `board${seat ? '' : ' middle'}${acting.includes(seat) ? ' acting' : ''}${long ? ' long' : ''}${rows.length ? '' : ' bare'}`, 'data-board': seat },
    h('h2', {}, title),
    told.length > 0 && h('dl', { class: 'facts' }, told.map(drawFact)),
    long ? h('details', {}, h('summary', {}, 'Show all'), table) : table);
}

function drawFact({ name, value }) {
  const face = value.toLowerCase();
  return h('div', {}, h('dt', {}, name), h('dd', {}, isFace(face) && faceIcon(face), value));
}

function drawTable({ seat, title, columns, rows }, tap) {
  const heads = columns.some(Boolean) && h('thead', {}, h('tr', {}, columns.map((column) => h('th', { scope: 'col' }, column))));
  return h('table', {}, heads, h('tbody', {}, rows.map((row) => drawRow(row, seat, title, columns, tap))));
}

function drawRow(row, seat, title, columns, tap) {
  const open = row.taps > 0 ? () => tap({ seat, row: row.key, title, columns, cells: row.cells }) : null;
  const [first, ...others] = row.cells;
  const head = open
    ? h('button', { type: 'button', 'data-key': `row-${seat}-${row.key}`, 'data-row': row.key, 'aria-label': `${row.cells.filter(Boolean).join(', ')}. Tap to choose.` }, first)
    : first;
  return h('tr', { class: `${MARKS[row.mark] ?? ''}${open ? ' tappable' : ''}`, 'data-mark': row.mark, onclick: open ?? (() => {}) },
    h('th', { scope: 'row' }, head), others.map((cell) => h('td', { class: cell.length <= SHORT && 'short' }, cell)));
}
