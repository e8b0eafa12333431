import assert from 'node:assert/strict';
import { test } from 'node:test';

import { filledNames, initialNames, namesProblem, namesToBegin, seatRange, seatedBy } from '../../web/static/setup.js';

const GAME = { title: 'Toss Up', seats: [2, 4] };

test('a seat without a name gets one', () => {
  assert.deepEqual(filledNames([' Ann ', '']), ['Ann', 'Player 2']);
});

test('too few, too many and equal names are said', () => {
  assert.equal(namesProblem(['Ann', 'Bob'], GAME), '');
  assert.equal(namesProblem(['Ann'], GAME), 'Toss Up needs at least 2 players.');
  assert.equal(namesProblem(['A', 'B', 'C', 'D', 'E'], GAME), 'Toss Up takes at most 4 players.');
  assert.match(namesProblem(['Ann', 'ann'], GAME), /same name/);
});

test('a game says how many may play', () => {
  assert.equal(seatRange(GAME), '2 to 4');
  assert.equal(seatRange({ title: '', seats: [2, 2] }), '2');
});

test('a house rule lets more people play', () => {
  assert.deepEqual(seatedBy(GAME, 'up-to-12').seats, [2, 12]);
  assert.deepEqual(seatedBy(GAME, 'box').seats, [2, 4]);
  assert.deepEqual(seatedBy(GAME, undefined).seats, [2, 4]);
});

test('names begin as they were kept, as many as the game takes', () => {
  assert.deepEqual(initialNames('["Ann", "Bob", "Cy", "Dee", "Eve"]', GAME), ['Ann', 'Bob', 'Cy', 'Dee']);
});

test('a name that only fills an empty seat is no name of anybody', () => {
  assert.deepEqual(initialNames('["Player 1", "Bob", "Player 1"]', GAME), ['', 'Bob', 'Player 1']);
});

test('without kept names there are two empty seats where the game allows them', () => {
  for (const kept of [null, '', 'garbage', '{}', '[]', '3']) assert.deepEqual(initialNames(kept, GAME), ['', '']);
  assert.deepEqual(initialNames(null, { title: '', seats: [1, 1] }), ['']);
  assert.deepEqual(initialNames(null, { title: '', seats: [3, 6] }), ['', '', '']);
});

test('a browser that keeps no names begins with those who may play again', () => {
  const players = [{ name: 'Ann' }, { name: 'Player 2' }, { name: 'Cy' }];
  assert.deepEqual(namesToBegin(null, players, GAME), ['Ann', '', 'Cy']);
  assert.deepEqual(namesToBegin('["Dee", "Eve"]', players, GAME), ['Dee', 'Eve']);
  assert.deepEqual(namesToBegin(null, [], GAME), ['', '']);
});
