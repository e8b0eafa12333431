// How the tables of a hall, and the calls of a tournament, are spread over the pages of a screen.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { gridOf, pagesOf } from '../../web/static/hall/hall_parts.js';

const numbers = (count) => Array.from({ length: count }, (_, place) => place);
const TV = [1920, 1000];

test('pages are as even as can be, and every item is on one of them', () => {
  assert.deepEqual(pagesOf(numbers(25), 12).map(({ length }) => length), [9, 9, 7]);
  assert.deepEqual(pagesOf(numbers(50), 12).map(({ length }) => length), [10, 10, 10, 10, 10]);
  assert.deepEqual(pagesOf([], 12), [[]]);
  for (let count = 1; count < 80; count += 1) {
    for (let most = 1; most < 14; most += 1) {
      const pages = pagesOf(numbers(count), most);
      assert.deepEqual(pages.flat(), numbers(count));
      assert.ok(pages.every(({ length }) => length > 0 && length <= most));
    }
  }
});

test('a screen across the room shows twelve at once, and as few as there are as large as can be', () => {
  assert.deepEqual(gridOf(50, ...TV), { columns: 4, rows: 3 });
  assert.deepEqual(gridOf(9, ...TV), { columns: 3, rows: 3 });
  assert.deepEqual(gridOf(1, ...TV), { columns: 1, rows: 1 });
});
