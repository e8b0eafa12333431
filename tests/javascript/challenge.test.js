import assert from 'node:assert/strict';
import { test } from 'node:test';

import { consequenceText, facesText, handledNote, readingOf, runnersUp, scoreRows } from '../../web/static/challenge.js';

test('a die says how sure the reader was, and what it was read as where that was corrected', () => {
  assert.equal(readingOf({ confidence: 0.976, read: '' }), '97 % sure');
  assert.equal(readingOf({ confidence: 0.5, read: 'Star' }), 'Read as Star, 50 % sure');
  assert.equal(readingOf({ confidence: null, read: '' }), 'No reading was kept.');
});

test('two likely other faces are named at most, and none that is next to impossible', () => {
  const others = [['Star', 0.2], ['Sad', 0.06], ['Two', 0.05], ['Three', 0.001]].map(([title, share]) => ({ title, share }));
  assert.equal(runnersUp({ runners_up: others }), 'Star 20 %, Sad 6 %');
  assert.equal(runnersUp({ runners_up: others.slice(3) }), '');
});

test('why a die was perhaps not thrown is said', () => {
  assert.equal(handledNote({ handled: 'turned' }), 'It was turned in its place.');
  assert.equal(handledNote({ handled: '' }), '');
});

test('faces are sent by the places of the dice, in order', () => {
  assert.equal(facesText(new Map([[12, 'star'], [3, 'pip-2']])), '3:pip-2 12:star');
});

test('a score that changes says by how much', () => {
  const scores = [['Ann', 4, 5], ['Bob', 3, 3], ['Cy', 9, 0]].map(([name, now, then]) => ({ name, now, then }));
  assert.deepEqual(scoreRows({ scores }).map(({ step }) => step), ['+1', '', '−9']);
});

test('what could not have been says why', () => {
  assert.equal(consequenceText({ then: '', refusal: 'No.', carried: false, now: 'Ann parks.' }), 'Could not have been: No.');
  assert.equal(consequenceText({ then: 'Ann saves 3.', refusal: '', carried: true, now: 'Ann saves 5.' }), 'Ann saves 3. (with the other face)');
  assert.equal(consequenceText({ then: 'Bob.', refusal: '', carried: false, now: 'Bob.' }), 'The same, with other scores.');
});
