import assert from 'node:assert/strict';
import { test } from 'node:test';

import { behind, enough, rightDice, wrongDice } from '../../web/static/dice_test_view.js';

const kind = { kind: 'd6', title: 'Die', dice: 500, p_value: 0.4, is_suspicious: false, faces: [] };

test('the page says whether as many dice were read as the test needs', () => {
  assert.match(enough({ ...kind, needed: 1739 }), /With 1,739/);
  assert.match(enough({ ...kind, needed: 400 }), /That finds a die/);
});

test('while hardly anything is known of misreads no number of dice is named', () => {
  assert.match(enough({ ...kind, needed: 0 }), /^500 dice were read. Say of more throws/);
});

test('a count leads to the games with these throws', () => {
  assert.equal(behind('toss-up'), '/history?dice=toss-up');
  assert.equal(behind('toss-up', 'tossup', 'red'), '/history?dice=toss-up&face=tossup%3Ared');
});

test('the dice of a checked throw are said in words', () => {
  const die = (read, shows = read) => ({ kind: 'd6', read, shows, is_wrong: read !== shows });
  const dice = [die('Green'), die('Red', 'Yellow'), die('Green'), die('Yellow')];
  assert.equal(rightDice(dice), '2 × Green and Yellow');
  assert.deepEqual(wrongDice(dice), ['Read as Red, and it shows Yellow']);
  assert.equal(rightDice([]), '');
});
