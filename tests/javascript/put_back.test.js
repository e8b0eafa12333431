import assert from 'node:assert/strict';
import { test } from 'node:test';

import { changeWords, putBackWords, splitAnswers, twoRows, whatToDo } from '../../web/static/put_back.js';

const wrong = (fields = {}) => ({ die: 1, title: 'Star', shows: 'Sad', place: '', ...fields });
const STATE = { on_turn: 1, players: [{ seat: 1, name: 'Ann' }, { seat: 2, name: 'Gus' }] };

test('going on as the dice lie stands apart from the other answers', () => {
  const { own, asTheyLie } = splitAnswers([{ answer: '0' }, { answer: 'as-it-lies' }]);
  assert.deepEqual([own.map(({ answer }) => answer), asTheyLie.answer], [['0'], 'as-it-lies']);
  assert.equal(splitAnswers([{ answer: '0' }]).asTheyLie, null);
});

test('that a die found turned was thrown is never the first answer, but one of a question whether dice were thrown is', () => {
  const found = splitAnswers([{ answer: 'thrown' }, { answer: 'as-it-lies' }]);
  assert.deepEqual([found.own, found.denials.length, found.asTheyLie.answer], [[], 1, 'as-it-lies']);
  const asked = splitAnswers([{ answer: 'thrown' }, { answer: 'set-down' }]);
  assert.deepEqual([asked.own.length, asked.denials], [2, []]);
});

test('a die goes back to its face, to its place, or both', () => {
  assert.equal(putBackWords(wrong()), 'This die back to Star');
  assert.equal(putBackWords(wrong({ place: 'aside' })), 'This die back to Star, into the bay');
  assert.equal(putBackWords(wrong({ shows: 'Star', place: 'field' })), 'This die onto the field');
  assert.equal(putBackWords(wrong({ die: 0, shows: '', place: 'field' })), 'Lay a die onto the field: Star');
});

test('before going on as the dice lie it is said what changes, and in whose turn', () => {
  assert.equal(changeWords([wrong()], STATE), 'Ann’s turn goes on with Sad instead of Star.');
  assert.equal(changeWords([wrong({ shows: 'Star', place: 'aside' })], STATE), 'Ann’s turn goes on with the dice as they lie now.');
  assert.equal(changeWords([], { on_turn: 0, players: [] }), 'The game goes on with the dice as they lie now.');
});

test('the two rows stand in the order of the dice, and a missing die has nothing below', () => {
  const dice = [{ number: 1, face: 'sad', title: 'Sad', crop: 'c1', zone: 'field' }, { number: 2, face: 'go', title: 'Go', crop: 'c2', zone: 'signal' }];
  const rows = twoRows([wrong({ face: 'star', crop_before: '', crop_now: 'c1' }), wrong({ die: 0, face: 'two', title: 'Two', shows: '', place: 'field' })], dice);
  assert.deepEqual(rows.map(({ number, isWrong }) => [number, isWrong]), [[1, true], [2, false], [0, true]]);
  assert.deepEqual([rows[0].should.face, rows[0].should.crop, rows[0].lies.crop], ['star', '', 'c1']);
  assert.deepEqual([rows[2].lies, rows[2].should.place], [null, 'field']);
});

test('a die in the wrong place says where it lies and where it belongs', () => {
  const [column] = twoRows([wrong({ shows: 'Star', face: 'star', place: 'aside' })], [{ number: 1, face: 'star', title: 'Star', crop: '', zone: 'field' }]);
  assert.deepEqual([column.should.place, column.lies.place], ['bay', 'field']);
});

test('what is to be done is one sentence that names no die', () => {
  assert.equal(whatToDo([wrong()]), 'Turn the marked die to the face above it.');
  assert.equal(whatToDo([wrong({ place: 'aside' })]), 'Turn the marked die to the face above it, and lay it into the bay.');
  assert.equal(whatToDo([wrong({ shows: 'Star', place: 'field' })]), 'Lay the marked die onto the field.');
  assert.equal(whatToDo([wrong({ die: 0, shows: '', place: 'field' })]), 'Lay the missing die onto the field.');
  assert.equal(whatToDo([wrong(), wrong({ die: 2 })]), 'Make the lower row like the upper one: 2 dice are marked.');
});
