// The players' boards: what lies before them besides the dice, drawn as rows and facts, whatever the game is.

import { factNames, fitsOneTable, isFilled, ownFirst } from './board_layout.js';
import { faceIcon, hasDrawing } from './die_faces.js';
import { h } from './dom.js';

const LONGEST_OPEN = 8;
const SHORT_CELL = 7;
const MARKS = ['open', 'done', 'blocked', 'here'];

/** Draw the boards. `onTap` gets a row with offers, as its board shows it. @param {{boards: import('./board_layout.js').Board[], acting: number[], own: number, over: boolean, front: number}} view @param {(row: any) => void} onTap @returns {any} */
export function drawBoards({ boards, acting, own, over, front }, onTap) {
  const filled = boards.filter(isFilled);
  if (!filled.length) return [];
  const middle = filled.filter(({ seat }) => seat === 0);
  const seated = filled.filter(({ seat }) => seat !== 0);
  const draw = (board) => drawBoard(board, acting, over, onTap);
  if (front) return [middle.map(draw), h('div', { class: 'in-front', 'data-seat': front }, seated.map(draw))];
  const drawn = fitsOneTable(seated) ? [drawAsOneTable(seated, acting)] : ownFirst(seated, own).map(draw);
  return h('div', { class: 'small-boards' }, middle.map(draw), drawn);
}

function drawAsOneTable(boards, acting) {
  const names = factNames(boards);
  const values = ({ facts }) => names.map((name) => facts.find((fact) => fact.name === name)?.value ?? '');
  const rows = boards.map((board) => h('tr', { class: acting.includes(board.seat) && 'acting' },
    h('th', { scope: 'row' }, board.title), values(board).map((value) => h('td', {}, value))));
  return h('div', { class: 'board together' }, h('table', {},
    h('thead', {}, h('tr', {}, h('td', {}), names.map((name) => h('th', { scope: 'col' }, name)))), h('tbody', {}, rows)));
}

function drawBoard(board, acting, over, onTap) {
  const { seat, title, facts, rows } = board;
  const isFolded = rows.length > LONGEST_OPEN && !over && !rows.some(({ taps }) => taps);
  const table = rows.length > 0 && drawTable(board, onTap);
  const stated = facts.filter(({ value }) => value);
  const classes = ['board', !seat && 'middle', acting.includes(seat) && 'acting', isFolded && 'long', !rows.length && 'bare'];
  return h('div', { class: classes.filter(Boolean).join(' '), 'data-board': seat },
    h('h2', {}, title),
    stated.length > 0 && h('dl', { class: 'facts' }, stated.map(drawFact)),
    isFolded ? h('details', {}, h('summary', {}, 'Show all'), table) : table);
}

function drawFact({ name, value }) {
  const face = value.toLowerCase();
  return h('div', {}, h('dt', {}, name), h('dd', {}, hasDrawing(face) && faceIcon(face), value));
}

function drawTable({ seat, title, columns, rows }, onTap) {
  const heads = columns.some(Boolean) && h('thead', {}, h('tr', {}, columns.map((column) => h('th', { scope: 'col' }, column))));
  return h('table', {}, heads, h('tbody', {}, rows.map((row) => drawRow(row, seat, title, columns, onTap))));
}

function drawRow(row, seat, title, columns, onTap) {
  const open = row.taps > 0 ? () => onTap({ seat, row: row.key, title, columns, cells: row.cells }) : null;
  const [first, ...others] = row.cells;
  const head = open
    ? h('button', { type: 'button', 'data-key': `row-${seat}-${row.key}`, 'data-row': row.key, 'aria-label': `${row.cells.filter(Boolean).join(', ')}. Tap to choose.` }, first)
    : first;
  return h('tr', { class: `${MARKS.includes(row.mark) ? row.mark : ''}${open ? ' tappable' : ''}`, 'data-mark': row.mark, onclick: open ?? (() => {}) },
    h('th', { scope: 'row' }, head), others.map((cell) => h('td', { class: cell.length <= SHORT_CELL && 'short' }, cell)));
}
