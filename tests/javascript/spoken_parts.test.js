import assert from 'node:assert/strict';
import { test } from 'node:test';

import { partClips, partsSince } from '../../web/static/voice/spoken_parts.js';

const SCORE = { number: 5, level: 'low', parts: [{ sound: 'score' }] };
const TURN = { number: 5, level: 'all', parts: [{ clips: [['your-turn']], name: 'Bob', unnamed: [] }] };
const BUST = { number: 9, level: 'low', parts: [{ sound: 'bust' }] };
const snapshot = (number, utterances, run = 'a') => ({ number, utterances, extras: { run } });
const heard = (number, run = 'a') => ({ number, run });

test('a tablet says what it has not heard of yet, once', () => {
  assert.deepEqual(partsSince(heard(4), snapshot(5, [SCORE, TURN]), 'all'), [...SCORE.parts, ...TURN.parts]);
  assert.deepEqual(partsSince(heard(5), snapshot(6, [SCORE, TURN]), 'all'), []);
});

test('a tablet that missed a snapshot says what that brought too', () => {
  assert.deepEqual(partsSince(heard(4), snapshot(9, [SCORE, BUST]), 'all'), [...SCORE.parts, ...BUST.parts]);
});

test('a caller that says a little leaves the rest out', () => {
  assert.deepEqual(partsSince(heard(4), snapshot(5, [SCORE, TURN]), 'low'), SCORE.parts);
});

test('nothing is said of what was there when the page was opened, or of another run of the table', () => {
  assert.deepEqual(partsSince(null, snapshot(5, [SCORE]), 'all'), []);
  assert.deepEqual(partsSince(heard(4, 'b'), snapshot(5, [SCORE]), 'all'), []);
});

test('the first row is said of which the voice has all clips', () => {
  const number = { clips: [['2000+', '400'], ['2000', '400']] };
  assert.deepEqual(partClips(number, false, () => true), ['2000+', '400']);
  assert.deepEqual(partClips(number, false, (key) => !key.endsWith('+')), ['2000', '400']);
  assert.deepEqual(partClips(number, false, () => false), []);
  assert.deepEqual(partClips({ sound: 'score' }, false, () => true), []);
});

test('what goes without a name is said where there is no voice for it', () => {
  const won = { clips: [['rule:T.2-12'], ['wins']], name: 'Ann', unnamed: [['rule:T.2-12'], ['win']] };
  const has = (key) => !key.startsWith('rule');
  assert.deepEqual(partClips(won, true, has), ['wins']);
  assert.deepEqual(partClips(won, false, has), ['win']);
  assert.deepEqual(partClips({ clips: [['your-turn']], name: 'Ann', unnamed: [] }, false, has), ['your-turn']);
});
