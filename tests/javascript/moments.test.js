import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nextMoment } from '../../web/static/moments.js';

const players = (...scores) => scores.map((score, place) => ({ seat: place + 1, name: ['Ann', 'Bob'][place], score }));
const snapshot = (step, called, moment = '', scores = [0, 0], winner = []) =>
  ({ called, moment, state: { players: players(...scores), winner }, extras: { step } });

/** Show snapshots one after another; return the moment of the last. */
const shown = (...snapshots) => snapshots.reduce(({ memory }, each) => nextMoment(memory, each), { memory: null, moment: null }).moment;

test('new calls show their moment once, with its words', () => {
  assert.deepEqual(shown(snapshot('1.1', 1), snapshot('1.2', 2, 'stop')), { kind: 'stop', words: 'Stop!' });
  assert.equal(shown(snapshot('1.1', 1), snapshot('1.2', 2, 'stop'), snapshot('1.2', 2, 'stop')), null);
  assert.equal(shown(snapshot('1.1', 1), snapshot('1.2', 2)), null);
});

test('what was there when the page was opened, or heard from the table again, shows none', () => {
  assert.equal(shown(snapshot('1.2', 2, 'bust')), null);
  const later = nextMoment(null, snapshot('1.9', 9, 'bust'));
  assert.equal(later.moment, null);
  assert.equal(nextMoment(later.memory, snapshot('1.10', 10, 'bust')).moment.kind, 'bust');
});

test('a step taken back shows none, and what is done instead of it shows its own', () => {
  const steps = [snapshot('1.1', 1, 'score'), snapshot('1.2', 2, 'bust'), snapshot('1.3', 1, 'score')];
  assert.equal(shown(...steps), null);
  assert.equal(shown(...steps, snapshot('1.4', 4, 'come-in')).words, 'In the game!');
});

test('another game begins without one', () => {
  assert.equal(shown(snapshot('1.9', 9, 'win'), snapshot('2.3', 3, 'score')), null);
  assert.equal(shown(snapshot('1.9', 9, 'win'), snapshot('2.0', 0), snapshot('2.3', 3, 'vander')).words, 'Off the table!');
});

test('a score tells what was gained, and a win whose it is', () => {
  assert.equal(shown(snapshot('1.1', 1), snapshot('1.2', 2, 'score', [450, 0])).words, '+450');
  assert.equal(shown(snapshot('1.1', 1), snapshot('1.2', 2, 'score')).words, 'Yes!');
  assert.equal(shown(snapshot('1.1', 1), snapshot('1.2', 2, 'win', [9, 0], [1])).words, 'Ann wins!');
  assert.equal(shown(snapshot('1.1', 1), snapshot('1.2', 2, 'last-round')).words, 'Last turns!');
});
