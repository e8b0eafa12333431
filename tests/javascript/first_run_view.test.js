import assert from 'node:assert/strict';
import { test } from 'node:test';

import { facesOf, NAMES, nextWord, readingOf, stepsFor, TITLES, verdictAt } from '../../web/static/first_run_view.js';

const finding = (name, verdict) => ({ name, verdict, told: `${name} is ${verdict}.`, advice: '' });

test('a drawn tray needs no mat and no lamp', () => {
  assert.deepEqual(stepsFor('virtual', true), ['camera', 'dice', 'players']);
  assert.deepEqual(stepsFor('virtual:rollers', true), ['camera', 'dice', 'players']);
  assert.deepEqual(stepsFor('usb:0', true), ['camera', 'mat', 'light', 'dice', 'players']);
  assert.deepEqual(stepsFor('usb:0', false), ['camera', 'dice', 'players']);
});

test('each step has its words', () => {
  for (const step of stepsFor('usb:0', true)) assert.ok(TITLES[step] && NAMES[step]);
});

test('a step tells the worst of its own findings', () => {
  const findings = [finding('camera', 'good'), finding('focus', 'unsure'), finding('light', 'bad'), finding('tray', 'good')];
  assert.equal(verdictAt('camera', findings).told, 'focus is unsure.');
  assert.equal(verdictAt('mat', findings).verdict, 'good');
  assert.equal(verdictAt('light', findings).verdict, 'bad');
});

test('what was not examined is not called well', () => {
  assert.equal(verdictAt('light', null).verdict, 'looking');
  assert.equal(verdictAt('light', [finding('camera', 'bad')]).verdict, 'bad');
});

test('which dice can be read now is said: those that Vander comes with, and those that it was taught', () => {
  assert.deepEqual(readingOf({ own: false, version: 0 }), { isRead: true, word: 'Read at once' });
  assert.ok(readingOf({ own: true, version: 2 }).isRead);
  assert.deepEqual(readingOf({ own: true, version: 0 }), { isRead: false, word: 'Not taught yet' });
});

test('a set is pictured by its first different faces', () => {
  const faces = [...'aabcdefghijk'].map((face) => ({ face, title: face, picture: '' }));
  assert.equal(facesOf({ faces }).map(({ face }) => face).join(''), 'abcdefghi');
});

test('nobody is held up by what is not well', () => {
  assert.equal(nextWord('mat', 'bad'), 'Go on all the same');
  assert.equal(nextWord('mat', 'looking'), 'Next');
  assert.equal(nextWord('players', 'good'), 'Start');
});
