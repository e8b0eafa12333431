import assert from 'node:assert/strict';
import { test } from 'node:test';

import { inOrder, nextOrder } from '../../web/static/dice_order.js';

const die = (number, zone = 'field', face = 'two', kind = 'traffic') => ({ number, zone, face, kind });
const KINDS = ['traffic', 'signal'];
const shown = (order, dice) => inOrder(order, dice, KINDS).map(({ number }) => number);

test('dice keep their order when a snapshot lists them otherwise', () => {
  const dice = [die(3), die(1), die(2)];
  const order = nextOrder(new Map(), dice);
  assert.deepEqual(shown(order, dice), [3, 1, 2]);
  const later = [die(1), die(2), die(3)];
  assert.deepEqual(shown(nextOrder(order, later), later), [3, 1, 2]);
});

test('dice stand by kind before they stand as first seen', () => {
  const dice = [die(1, 'field', 'go', 'signal'), die(2)];
  assert.deepEqual(shown(nextOrder(new Map(), dice), dice), [2, 1]);
});

test('a die that gets another number while it lies keeps its place', () => {
  const order = nextOrder(new Map(), [die(1, 'field', 'star'), die(2, 'field', 'two'), die(3, 'field', 'sad')]);
  const later = [die(1, 'field', 'star'), die(3, 'field', 'sad'), die(9, 'field', 'two')];
  assert.deepEqual(shown(nextOrder(order, later), later), [1, 9, 3]);
});

test('a die in another zone stands last there', () => {
  const order = nextOrder(new Map(), [die(1), die(2), die(3, 'aside')]);
  const later = [die(1, 'aside'), die(2), die(3, 'aside')];
  assert.deepEqual(shown(nextOrder(order, later), later), [2, 3, 1]);
});
