import assert from 'node:assert/strict';
import { test } from 'node:test';

import { facesOfKind, fullTitle, isSameFace } from '../../web/static/learning/face_elements.js';
import { newDraft, newKind, numbersTo, problemOf, requestOf } from '../../web/static/learning/new_die_set.js';

const typed = (fields = {}, kind = {}) => ({ title: 'Star dice', kinds: [{ ...newKind('Die'), ...kind }], ...fields });
const problem = (fields, kind) => problemOf(requestOf(typed(fields, kind)));

test('new dice are one kind of six faces of 16 mm, and lack only their name', () => {
  assert.match(problemOf(requestOf(newDraft())), /Give the dice a name/);
  assert.equal(problemOf(requestOf({ ...newDraft(), title: 'Star dice' })), '');
});

test('a request has numbers and texts without blanks', () => {
  const request = requestOf(typed({ title: ' Star dice ' }, { title: ' Die ', count: '2', faces: [' sun ', ''] }));
  assert.deepEqual(request, { title: 'Star dice', kinds: [{ title: 'Die', count: 2, faces: ['sun', ''] }] });
});

test('what makes no sense is said', () => {
  assert.match(problem({ title: ' ' }), /Give the dice a name/);
  assert.match(problem({}, { title: '' }), /Give every kind of die a name/);
  for (const count of ['0', '1.5', 'two', '']) assert.match(problem({}, { count }), /a whole number from 1/);
});

test('two faces of one kind need two names, those without a name too', () => {
  assert.match(problem({}, { faces: ['', '', 'face 1'] }), /Two faces are called face 1/);
  assert.match(problem({}, { faces: ['Sun', 'sun'] }), /Two faces are called sun/);
  assert.equal(problem({}, { faces: ['Sun', 'Moon', ''] }), '');
});

test('numbers fill faces from one', () => {
  assert.deepEqual(numbersTo(3), ['1', '2', '3']);
});

const SET = {
  kinds: [{ name: 'die', title: 'Moon die' }],
  faces: [{ kind: 'die', face: 'moon', title: 'Moon' }, { kind: 'other', face: 'moon', title: 'Moon' }],
};

test('a face is the same by kind and name', () => {
  assert.ok(isSameFace(SET.faces[0], { kind: 'die', face: 'moon' }));
  assert.ok(!isSameFace(SET.faces[0], SET.faces[1]));
  assert.ok(!isSameFace(null, SET.faces[1]));
  assert.deepEqual(facesOfKind(SET, 'other'), [SET.faces[1]]);
});

test('a face is called by its kind too where there are several', () => {
  assert.equal(fullTitle(SET, SET.faces[0]), 'Moon');
  const two = { ...SET, kinds: [...SET.kinds, { name: 'other', title: 'Sun die' }] };
  assert.equal(fullTitle(two, SET.faces[1]), 'Moon (Sun die)');
});
