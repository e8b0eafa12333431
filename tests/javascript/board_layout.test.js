import assert from 'node:assert/strict';
import { test } from 'node:test';

import { boardsStamp, boardsToShow, factNames, fitsOneTable, hasSheets, isFilled, ownFirst, seatInFront } from '../../web/static/boards/board_layout.js';

const board = (seat, rows = 0, facts = []) => ({
  seat, title: `Board ${seat}`, columns: [], parts: [], brief: [], facts: facts.map((name) => ({ name, value: '1' })),
  rows: Array.from({ length: rows }, (_, place) => ({ key: String(place), cells: [''], mark: '', taps: 0 })),
});

test('boards of many rows are sheets, however many boards they are', () => {
  assert.ok(!hasSheets([]));
  assert.ok(!hasSheets([board(1, 6), board(2, 6)]));
  assert.ok(hasSheets([board(1, 7)]));
  assert.ok(hasSheets([board(1, 4), board(1, 4)]));
  assert.ok(!hasSheets([board(0, 20)]));
});

test('the chosen sheet is in front, else the own, else that of the player to act', () => {
  const boards = [board(0), board(1), board(2), board(3)];
  assert.equal(seatInFront(boards, 3, 2, [1]), 3);
  assert.equal(seatInFront(boards, 0, 2, [1]), 2);
  assert.equal(seatInFront(boards, 0, 0, [3, 1]), 3);
  assert.equal(seatInFront(boards, 0, 0, []), 1);
  assert.equal(seatInFront(boards, 9, 9, [9]), 1);
  assert.equal(seatInFront([board(0)], 0, 0, [1]), 0);
});

test('with a sheet in front the others are left out, and the middle stays', () => {
  const boards = [board(0), board(1), board(2)];
  assert.deepEqual(boardsToShow(boards, 2).map(({ seat }) => seat), [0, 2]);
  assert.equal(boardsToShow(boards, 0), boards);
});

test('boards that hold little stand in one table', () => {
  const little = [board(1, 0, ['Come in', 'Turns']), board(2, 0, ['Turns'])];
  assert.ok(fitsOneTable(little));
  assert.deepEqual(factNames(little), ['Come in', 'Turns']);
  assert.ok(!fitsOneTable([little[0]]));
  assert.ok(!fitsOneTable([...little, board(3, 1)]));
  assert.ok(!fitsOneTable([board(1, 0, ['a', 'b']), board(2, 0, ['c', 'd'])]));
});

test('the own board comes first and the others keep their order', () => {
  assert.deepEqual(ownFirst([board(1), board(2), board(3)], 3).map(({ seat }) => seat), [3, 1, 2]);
});

test('a board without facts and rows is empty', () => {
  assert.ok(!isFilled(board(1)));
  assert.ok(isFilled(board(1, 1)));
});

test('a choice goes on until the step changes, and on a sheet until that sheet or the middle changes', () => {
  const sheet = (taps, facts = []) => ({ ...board(1, 7, facts), parts: [{ key: 'stall', taps }] });
  assert.equal(boardsStamp({ boards: [board(1)], front: 0, step: '1.2' }), '1.2');
  const stamp = boardsStamp({ boards: [sheet(3)], front: 1, step: '1.2' });
  assert.equal(boardsStamp({ boards: [sheet(3)], front: 1, step: '1.3' }), stamp);
  assert.equal(boardsStamp({ boards: [sheet(3, ['Most'])], front: 1, step: '1.3' }), stamp);
  assert.notEqual(boardsStamp({ boards: [sheet(2)], front: 1, step: '1.3' }), stamp);
});
