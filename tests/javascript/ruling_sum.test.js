import assert from 'node:assert/strict';
import { test } from 'node:test';

import { rememberSums, sumView } from '../../web/static/ruling_sum.js';

const die = (face, title = face) => ({ kind: 'traffic', face, title });
const seen = (face, crop) => ({ kind: 'traffic', face, crop });
const sum = (terms, times = 1) => ({ terms, times, total: times * terms.reduce((all, { worth }) => all + worth, 0) });
const term = (dice, worth, label = '') => ({ dice, worth, label });

test('each die that counted has its own picture, while there are some', () => {
  const view = sumView(sum([term([die('four'), die('four'), die('four')], 400), term([die('happy')], 100)]), [seen('four', 'a'), seen('two', 'b'), seen('four', 'c'), seen('happy', 'd')]);
  assert.deepEqual(view.terms.map(({ dice }) => dice.map(({ crop }) => crop)), [['a', 'c', ''], ['d']]);
  assert.deepEqual(view.terms.map(({ worth }) => worth), ['400', '100']);
  assert.equal(view.total, 500);
});

test('a die that shows its worth says it itself, and a lone term is its total', () => {
  const pips = sumView(sum([term([die('pip-3')], 3), term([die('pip-4')], 4)]), []);
  assert.deepEqual(pips.terms.map(({ worth }) => worth), ['', '']);
  assert.equal(sumView(sum([term([die('star')], 50)]), []).terms[0].worth, '');
  assert.equal(sumView(sum([term([die('star')], 50)], 2), []).terms[0].worth, '50');
});

test('many dice of one face are one with their number', () => {
  const [term7] = sumView(sum([term(Array.from({ length: 7 }, () => die('green')), 7)]), []).terms;
  assert.deepEqual([term7.dice.length, term7.count], [1, 7]);
  const [term4] = sumView(sum([term(Array.from({ length: 4 }, () => die('green')), 4)]), []).terms;
  assert.deepEqual([term4.dice.length, term4.count], [4, 1]);
});

test('a screen reader hears the sum in words', () => {
  assert.equal(sumView(sum([term([], 4, 'before'), term([die('green', 'Green'), die('green', 'Green')], 2)]), []).words, '4 before plus 2 × Green: 2 is 6');
  assert.equal(sumView(sum([term([die('star', 'Star')], 50)], 2), []).words, 'Star: 50, times 2 is 100');
});

test('calls without a sum have none', () => {
  assert.equal(sumView(null, []), null);
  assert.equal(sumView(sum([]), []), null);
});

test('the pictures stay as they were first seen, until there are other calls', () => {
  const calls = [{ sum: sum([term([die('star')], 50)]) }];
  const first = rememberSums(null, 'one', calls, [seen('star', 'a')]);
  assert.equal(rememberSums(first, 'one', calls, []), first);
  assert.equal(rememberSums(first, 'two', calls, []).sums[0].terms[0].dice[0].crop, '');
});
