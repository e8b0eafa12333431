import assert from 'node:assert/strict';
import { test } from 'node:test';

import { behind, enough, faceChoices, figuresOf, filterOf, gainsAt, gameAddress, luckNote, pictureAt, placeAfterKey, placeOf, placeOfFace, queryOf, resultOf, rightDice, throwAddress, wrongDice } from '../../web/static/past_games_view.js';

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

const seat = (name, won, score) => ({ seat: 1, name, player: 1, won, score, best_turn: 0, best_entry: 0 });
const game = (finished, ...seats) => ({ number: 1, game: 'toss-up', started_at: '', ended_at: '', clock_doubted: false, finished, seats });

test('a filter comes back from its own address', () => {
  const filter = { game: 'toss-up', player: 3, against: 4, dice: 'toss-up', face: 'tossup:red' };
  assert.deepEqual(filterOf(queryOf(filter)), filter);
  assert.equal(queryOf({ game: '', player: 0, against: 4 }), '');
  assert.equal(queryOf({ game: '', player: 0, against: 0 }, 12), '?before=12');
  assert.deepEqual(filterOf('?player=-2&against=x'), { game: '', player: 0, against: 0, dice: '', face: '' });
  assert.equal(queryOf({ dice: '', face: 'tossup:red' }), '');
  assert.equal(filterOf('?face=tossup:red').face, '');
  assert.equal(gameAddress(7, 12), '/history/7?entry=12');
});

test('the result names all who won, and nobody where nobody can', () => {
  assert.equal(resultOf(game(true, seat('Ann', true, 40), seat('Bob', true, 40))), 'Ann and Bob won');
  assert.equal(resultOf(game(false, seat('Ann', false, 40), seat('Bob', false, 30))), 'Left before its end');
  assert.equal(resultOf(game(true, seat('Ann', true, 40))), 'Played to the end');
  assert.equal(resultOf(game(false, seat('Ann', false, null))), 'Still being counted');
  assert.equal(resultOf({ ...game(false, seat('Ann', false, 0)), game: 'dice' }), 'Dice were counted');
});

test('an entry that is no step leads to the next one', () => {
  const steps = [{ entry: 1 }, { entry: 4 }, { entry: 5 }];
  assert.deepEqual([1, 2, 5, 9].map((entry) => placeOf(steps, entry)), [0, 1, 2, 2]);
});

test('a face leads to the first throw in which it was read', () => {
  const steps = [['d6:pip-1'], [], ['d6:pip-2', 'd6:pip-6'], ['d6:pip-6']].map((read) => ({ read }));
  assert.deepEqual(['d6:pip-6', 'd6:pip-1', 'd6:pip-3', ''].map((face) => placeOfFace(steps, face)), [2, 0, 0, 0]);
  assert.equal(throwAddress(7, 'd6:pip-6'), '/history/7?face=d6%3Apip-6');
  assert.equal(throwAddress(7, ''), '/history/7');
});

test('the faces of several kinds are told apart, and a chosen one of unknown dice stays a choice', () => {
  const die = { kind: 'd6', title: 'Die', faces: [{ face: 'pip-1', title: 'One' }] };
  assert.deepEqual(faceChoices([die], 'd6:pip-1'), [{ key: 'd6:pip-1', title: 'One' }]);
  assert.equal(faceChoices([die, { ...die, kind: 'black' }], '')[1].title, 'Die: One');
  assert.deepEqual(faceChoices([], 'd6:pip-1'), [{ key: 'd6:pip-1', title: 'pip-1' }]);
});

test('keys step, leap and stop at both ends', () => {
  assert.equal(placeAfterKey('ArrowLeft', 0, 30), 0);
  assert.equal(placeAfterKey('ArrowRight', 29, 30), 29);
  assert.equal(placeAfterKey('PageDown', 5, 30), 15);
  assert.equal(placeAfterKey('End', 5, 30), 29);
  assert.equal(placeAfterKey('x', 5, 30), 5);
});

test('gains are counted from the step before', () => {
  const steps = [{ scores: [0, 5] }, { scores: [12, 5] }];
  assert.deepEqual(gainsAt(steps, 0), [0, 5]);
  assert.deepEqual(gainsAt(steps, 1), [12, 0]);
});

test('a tap shows how the dice lay before it', () => {
  const steps = ['', 'one', ''].map((picture, place) => ({ picture, calls: [{ sentence: `Step ${place}` }] }));
  assert.deepEqual(pictureAt(steps, 0), { picture: '', isEarlier: false, sentence: '' });
  assert.deepEqual(pictureAt(steps, 1), { picture: 'one', isEarlier: false, sentence: 'Step 1' });
  assert.deepEqual(pictureAt(steps, 2), { picture: 'one', isEarlier: true, sentence: 'Step 1' });
});

const sums = (luck, inPoints, throws = 9) => ({
  game: 'rollers', games: 1, with_others: 1, wins: 1, average: 5, best_score: 5, best_score_in: 1, best_turn: 0, best_turn_in: 0, best_turn_entry: 0,
  throws, stops: 1, stop_chance: 1.5, luck, points_luck: 0, luck_in_points: inPoints, risk_taken: null,
});
const lucks = (one) => figuresOf(one, 1, 0).map(({ name }) => name).filter((name) => name.startsWith('Luck'));

test('one stopped throw is one throw', () => {
  assert.equal(figuresOf(sums(0.4, null), 1, 0).find(({ name }) => name === 'Luck with stops').note, 'as chance has it: 1 throw stopped, 1.5 on average');
  assert.match(figuresOf({ ...sums(0.4, null), stops: 0 }, 1, 0).at(-1).note, /: 0 throws stopped/);
});

test('a kind of luck that a game does not have is said to be none', () => {
  assert.deepEqual(lucks(sums(0.4, -1)), ['Luck with stops', 'Luck with points']);
  assert.equal(luckNote(sums(0.4, -1)), '');
  assert.deepEqual(lucks(sums(0.4, null)), ['Luck with stops']);
  assert.match(luckNote(sums(0.4, null)), /luck with points is not counted/);
  assert.deepEqual(lucks(sums(null, null)), []);
  assert.match(luckNote(sums(null, null)), /: luck is not counted/);
  assert.equal(luckNote(sums(null, null, 0)), '');
});
