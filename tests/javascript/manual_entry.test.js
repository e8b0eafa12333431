import assert from 'node:assert/strict';
import { test } from 'node:test';

import { NO_ENTRY, actionOf, entryFor, isComplete, kindsOf, nextPlace, prefilledFaces, throwerOf, withFace, withSeat, withThrow } from '../../web/static/manual_entry.js';

const die = (kind, face = '') => ({ kind, face });
const seen = (kind, face, zone = 'field') => ({ kind, face, zone });
const THROW = { seats: [2], verb: 'roll', choice: '', title: 'Roll', dice: [die('signal'), die('traffic'), die('traffic')] };
const ANYBODY = { seats: [1, 2, 3], verb: 'roll', choice: 'lot', title: 'Throw', dice: [die('traffic')] };
const ONE = { step: '3.12', throws: [THROW] };
const SEVERAL = { step: '3.12', throws: [THROW, ANYBODY] };

test('a single throw is chosen at once, and its faces are empty', () => {
  const entry = entryFor(NO_ENTRY, ONE, 1, []);
  assert.deepEqual(entry, { step: '3.12', place: 0, faces: ['', '', ''], seat: 1 });
});

test('of several throws one is to be chosen, and can be changed', () => {
  const entry = entryFor(NO_ENTRY, SEVERAL, 0, []);
  assert.equal(entry.place, null);
  const chosen = withThrow(entry, SEVERAL, 1, []);
  assert.deepEqual(chosen.faces, ['']);
  assert.equal(withThrow(chosen, SEVERAL, null, []).place, null);
});

test('an entry lasts while the game is at its step, and begins again at the next', () => {
  const entry = withFace(entryFor(NO_ENTRY, ONE, 0, []), 1, 'star');
  assert.equal(entryFor(entry, { ...ONE }, 0, []), entry);
  assert.deepEqual(entryFor(entry, { ...ONE, step: '3.13' }, 0, []).faces, ['', '', '']);
});

test('faces begin as the camera reads them if it sees as many dice of each kind', () => {
  const lying = [seen('traffic', 'two'), seen('signal', 'go'), seen('traffic', 'star')];
  assert.deepEqual(prefilledFaces(THROW.dice, lying), ['go', 'two', 'star']);
  assert.deepEqual(prefilledFaces(THROW.dice, lying.slice(1)), ['', '', '']);
  assert.deepEqual(prefilledFaces(THROW.dice, [...lying, seen('traffic', 'sad')]), ['', '', '']);
});

test('a die off the field or unread is no die of the throw', () => {
  const lying = [seen('traffic', 'two'), seen('signal', 'go'), seen('traffic', 'star')];
  assert.deepEqual(prefilledFaces(THROW.dice, [...lying, seen('traffic', 'sad', 'out'), seen('traffic', '')]), ['go', 'two', 'star']);
});

test('a face that the rules know stays', () => {
  assert.deepEqual(prefilledFaces([die('traffic', 'happy')], []), ['happy']);
});

test('the next face goes to the next die of its kind without one', () => {
  const entry = entryFor(NO_ENTRY, ONE, 0, []);
  assert.equal(nextPlace(entry, THROW, 'traffic'), 1);
  assert.equal(nextPlace(withFace(entry, 1, 'two'), THROW, 'traffic'), 2);
  assert.equal(nextPlace(withFace(withFace(entry, 1, 'two'), 2, 'two'), THROW, 'traffic'), -1);
  assert.deepEqual(kindsOf(THROW), ['signal', 'traffic']);
});

test('an entry is complete when every die has its face', () => {
  const entry = withFace(withFace(entryFor(NO_ENTRY, ONE, 0, []), 0, 'go'), 1, 'two');
  assert.ok(!isComplete(entry));
  assert.ok(isComplete(withFace(entry, 2, 'star')));
  assert.ok(!isComplete(withFace(withFace(entry, 2, 'star'), 2, '')));
});

test('the thrower is the only one who may, else the chosen seat', () => {
  assert.equal(throwerOf(NO_ENTRY, THROW), 2);
  assert.equal(throwerOf(NO_ENTRY, ANYBODY), 0);
  assert.equal(throwerOf(withSeat(NO_ENTRY, 3), ANYBODY), 3);
  assert.equal(throwerOf(withSeat(NO_ENTRY, 4), ANYBODY), 0);
});

test('the action names the thrower, the verb, the dice in order and the choice', () => {
  const entry = { ...entryFor(NO_ENTRY, ONE, 0, []), faces: ['go', 'two', 'star'] };
  assert.equal(actionOf(entry, THROW), '2 roll signal:go traffic:star traffic:two');
  assert.equal(actionOf({ ...entry, seat: 3, faces: ['sad'] }, ANYBODY), '3 roll traffic:sad =lot');
});
