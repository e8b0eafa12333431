import assert from 'node:assert/strict';
import { test } from 'node:test';

import { MOST_LINES, deviceOf, markOf, shownLines, symbolOf } from '../../web/static/interventions.js';

test('a line without a device says that the camera saw it, or that it was a tablet', () => {
  assert.equal(deviceOf({ device: "Ann's phone", source: 'tablet' }), "Ann's phone");
  assert.equal(deviceOf({ device: '', source: 'camera' }), 'Seen by the camera');
  assert.equal(deviceOf({ device: '', source: 'tablet' }), 'A tablet');
});

test('the newest lines are shown, and each kind has a symbol', () => {
  assert.deepEqual(shownLines([9, 8, 7, 6]), [9, 8, 7].slice(0, MOST_LINES));
  for (const deed of ['correct', 'undo', 'answer', 'laid', 'remark', 'challenge', 'play', 'something new']) assert.ok(symbolOf({ deed }));
});

test('a die that was thrown and read bears no mark, and any other bears a symbol and a word', () => {
  assert.equal(markOf({ mark: '' }), null);
  assert.deepEqual(markOf({ mark: 'turned' }), { symbol: 'hand', word: 'turned' });
  assert.deepEqual(markOf({ mark: 'something-new' }), { symbol: 'hand', word: 'something-new' });
});
