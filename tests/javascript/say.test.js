// How the page fills its sentences, in English and in a language that was put in place of it.

import assert from 'node:assert/strict';
import test from 'node:test';

import { say, sayCount, sayParts } from '../../web/static/say.js';

test('a sentence is filled at every place, and a value that looks like a place stays', () => {
  assert.equal(say('{one} and {one}, {other}', { one: '{other}', other: 2 }), '{other} and {other}, 2');
  assert.equal(say('no place'), 'no place');
});

test('what is counted has the form of its number', () => {
  assert.deepEqual([0, 1, 2].map((count) => sayCount('{count} die', '{count} dice', count)), ['0 dice', '1 die', '2 dice']);
  assert.equal(sayCount('{name}: {count}', '{name}: many', 1, { name: 'Ann' }), 'Ann: 1');
});

test('a form that the language lacks for a number is the one for all others', () => {
  assert.equal(sayCount({ few: 'few', other: 'others' }, '', 1), 'others');
});

test('an element stands in the middle of its sentence', () => {
  const button = { tag: 'button' };
  assert.deepEqual(sayParts('Still to act: {button}!', { button }), ['Still to act: ', button, '!']);
  assert.deepEqual(sayParts('{button}', { button }), [button]);
});
