import assert from 'node:assert/strict';
import { test } from 'node:test';

import { briefParts, cardWords, chipStacks, discardWords, initialsOf, lightWords, placesOf, sectionMarks, trackView, trackWords } from '../../web/static/boards/board_parts.js';

const track = (tokens, fields = {}) => ({ goal: 100, marks: [], tokens: tokens.map(([seat, at, risk = 0]) => ({ seat, at, at_risk: risk })), ...fields });

test('tokens stand where their points are, and near ones above each other', () => {
  const view = trackView(track([[1, 0], [2, 2], [3, 50, 25]]));
  assert.deepEqual(view.tokens.map(({ seat, at, to, row }) => [seat, at, to, row]), [[1, 0, 0, 0], [2, 2, 2, 1], [3, 50, 75, 0]]);
  assert.equal(view.rows, 2);
});

test('a token does not stand on the ghost of another one', () => {
  const view = trackView(track([[1, 10, 60], [2, 40]]));
  assert.deepEqual(view.tokens.map(({ row }) => row), [0, 1]);
});

test('no token lies over the number at a ghost, and near the end it stands before its own token', () => {
  const after = trackView(track([[1, 10, 10], [2, 35], [3, 60]]));
  assert.deepEqual(after.tokens.map(({ row, isBefore }) => [row, isBefore]), [[0, false], [1, false], [0, false]]);
  const before = trackView(track([[1, 70], [2, 90, 5]]));
  assert.deepEqual(before.tokens.map(({ row, isBefore }) => [row, isBefore]), [[0, false], [1, true]]);
});

test('a road is drawn beyond its goal for who has passed it', () => {
  const view = trackView(track([[1, 150, 50]], { marks: [20] }));
  assert.equal(view.goal, 50);
  assert.deepEqual(view.marks, [{ number: 20, at: 10 }]);
  assert.deepEqual(trackView(track([])), { goal: 100, rows: 1, marks: [], tokens: [] });
});

test('tokens bear the first letter, and two where names begin alike', () => {
  const players = [{ seat: 1, name: 'Ann' }, { seat: 2, name: 'bob' }, { seat: 3, name: 'Ada' }];
  assert.deepEqual(players.map(({ seat }) => initialsOf(players, seat)), ['An', 'B', 'Ad']);
  assert.equal(trackWords(track([[2, 30, 5]]), players), 'bob 30 and 5 at risk of 100');
});

test('players whose names begin alike have their seats on their tokens', () => {
  const players = ['Player 1', 'Player 2', 'Pia', 'Zoe'].map((name, place) => ({ seat: place + 1, name }));
  assert.deepEqual(players.map(({ seat }) => initialsOf(players, seat)), ['P1', 'P2', 'Pi', 'Z']);
});

test('lights are told by their colours', () => {
  const light = (colour, isLit) => ({ colour, is_lit: isLit, face: '' });
  assert.equal(lightWords({ lights: [light('green', true), light('green', true), light('red', true), light('white', false)] }), '2 green, 1 red, 1 unlit');
  assert.equal(lightWords({ lights: [] }), 'none');
});

test('of a player who does not act the brief parts are shown', () => {
  assert.deepEqual(briefParts({ parts: [{ key: 'a' }, { key: 'b' }], brief: ['b'] }), [{ key: 'b' }]);
});

const die = (face) => ({ kind: 'd6', face, title: face.slice(-1) });

test('chips stand in stacks of ten fives at most, and the ones next to them', () => {
  assert.deepEqual(chipStacks(55), [{ worth: 5, count: 10 }, { worth: 5, count: 1 }]);
  assert.deepEqual(chipStacks(8), [{ worth: 5, count: 1 }, { worth: 1, count: 3 }]);
  assert.deepEqual(chipStacks(0), []);
  assert.equal(chipStacks(137).reduce((sum, { worth, count }) => sum + worth * count, 0), 137);
});

test('discards are told by the first and the last', () => {
  assert.equal(discardWords([]), 'none discarded');
  assert.equal(discardWords(['1']), '1 discarded');
  assert.equal(discardWords(['1', '2', '3']), '1 to 3 discarded');
});

test('a card says what it shows, what lies on it and what makes it', () => {
  const card = { face: '7', dice: [die('pip-1'), die('pip-2')], holds: 'Block disk', made_of: [die('pip-3'), die('pip-4')] };
  assert.equal(cardWords(card), 'card 7, rolls 2 dice, Block disk on it, made of 3 + 4');
  assert.equal(cardWords({ face: '', dice: [], holds: '', made_of: [] }), 'no card');
});

test('a section in short has a mark a place, filled as far as its room', () => {
  const places = [
    { key: '1', title: '1s', mark: 'done', dice: [die('pip-1'), die('pip-1')], room: 2 },
    { key: '3', title: '3s', mark: '', dice: [], room: 4 },
  ];
  assert.deepEqual(sectionMarks(places), [
    { key: '1', label: '1', mark: 'done', words: '1s closed', filled: 1 },
    { key: '3', label: '3', mark: '', words: '3s empty', filled: 0 },
  ]);
});

test('each die lights up once for a sum', () => {
  const rolled = ['pip-2', 'pip-2', 'pip-4', 'pip-2'].map(die);
  assert.deepEqual(placesOf(rolled, [die('pip-2'), die('pip-4'), die('pip-2')]), [0, 1, 2]);
  assert.deepEqual(placesOf(rolled, [die('pip-6')]), []);
});
