import assert from 'node:assert/strict';
import { test } from 'node:test';

import { answersView, askedDice, askedPictures } from '../../web/static/question_view.js';

const choice = (answer, likely = false) => ({ answer, title: answer, likely, picture: '' });
const FACES = { topic: 'face', dice: [1, 2], crops: ['a', ''], choices: [choice('sad', true), choice('happy', true), choice('two'), choice('not-all')] };
const KIND = { topic: 'kind', dice: [1, 2], crops: ['a', 'b'], choices: [choice('1'), choice('2'), choice('none')] };
const answers = (choices) => choices.map(({ answer }) => answer);

test('the likely faces are tiles, and the others come on request', () => {
  const { tiles, split, others } = answersView(FACES);
  assert.deepEqual([answers(tiles), split.answer, answers(others)], [['sad', 'happy'], 'not-all', ['two']]);
});

test('all dice of the throw are tiles where one of them is looked for', () => {
  const { tiles, split, others } = answersView(KIND);
  assert.deepEqual([answers(tiles), split.answer, others], [['1', '2'], 'none', []]);
});

test('a question about one die has nothing to split', () => {
  assert.equal(answersView({ ...FACES, choices: FACES.choices.slice(0, 3) }).split, null);
});

test('the dice that a face is asked of are pictured above, those to choose among are the answers', () => {
  assert.deepEqual(askedPictures(FACES), ['a']);
  assert.deepEqual(askedPictures(KIND), []);
});

test('all dice of all open questions are asked about', () => {
  assert.deepEqual(askedDice([FACES, { dice: [] }, { dice: [5] }]), [1, 2, 5]);
});
