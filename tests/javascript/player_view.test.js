// What the pages of the players show, without a browser.

import assert from 'node:assert/strict';
import test from 'node:test';

import { figuresOf, luckNote } from '../../web/static/player_view.js';

const sums = (luck, inPoints, throws = 9) => ({
  game: 'rollers', games: 1, with_others: 1, wins: 1, average: 5, best_score: 5, best_score_in: 1, best_turn: 0, best_turn_in: 0, best_turn_entry: 0,
  throws, stops: 1, stop_chance: 1.5, luck, points_luck: 0, luck_in_points: inPoints, risk_taken: null,
});
const lucks = (one) => figuresOf(one, 1, 0).map(({ name }) => name).filter((name) => name.startsWith('Luck'));

test('one stopped throw is one throw', () => {
  assert.equal(figuresOf(sums(0.4, null), 1, 0).find(({ name }) => name === 'Luck with stops').note, 'as chance has it: 1 throw stopped, 1.5 on average');
  assert.match(figuresOf({ ...sums(0.4, null), stops: 0 }, 1, 0).at(-1).note, /: 0 throws stopped/);
});

test('a kind of luck that a game does not have is said to be none', () => {
  assert.deepEqual(lucks(sums(0.4, -1)), ['Luck with stops', 'Luck with points']);
  assert.equal(luckNote(sums(0.4, -1)), '');
  assert.deepEqual(lucks(sums(0.4, null)), ['Luck with stops']);
  assert.match(luckNote(sums(0.4, null)), /luck with points is not counted/);
  assert.deepEqual(lucks(sums(null, null)), []);
  assert.match(luckNote(sums(null, null)), /: luck is not counted/);
  assert.equal(luckNote(sums(null, null, 0)), '');
});
