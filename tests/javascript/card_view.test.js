// How cards, chips and sections are drawn, without a page.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { cardWords, chipStacks, discardWords, placesOf, sectionMarks } from '../../web/static/boards/card_view.js';

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
