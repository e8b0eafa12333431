import assert from 'node:assert/strict';
import { test } from 'node:test';

import { chapterOf, placeOfStep } from '../../web/static/rules_sheet.js';

test('a rule is found in its chapter', () => {
  const chapters = [{ title: 'The dice', texts: [{ number: 'I.1' }] }, { title: 'The game', texts: [{ number: '' }, { number: 'I.2-1' }] }];
  assert.equal(chapterOf(chapters, 'I.2-1').title, 'The game');
  assert.equal(chapterOf(chapters, 'T.9'), undefined);
});

test('steps go on and back within all of them', () => {
  assert.deepEqual([placeOfStep(0, 1, 6), placeOfStep(0, -1, 6), placeOfStep(5, 1, 6), placeOfStep(3, -1, 6)], [1, 0, 5, 2]);
});
