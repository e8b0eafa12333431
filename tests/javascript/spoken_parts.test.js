import assert from 'node:assert/strict';
import { test } from 'node:test';

import { numberClips, partClips } from '../../web/static/voice/spoken_clips.js';
import { nextSpoken, partsAt } from '../../web/static/voice/spoken_parts.js';

const NAMES = ['Ann', 'Bob'];
const NOTHING = { called: 1, moment: '', calls: [], interventions: [], questions: [], mood: 'calm', unsaved: false, turn_points: 0, step: '1.1', turn: 1, scores: [1800, 0], winner: [] };
const snapshot = (facts) => {
  const { turn, scores, winner, step, ...rest } = { ...NOTHING, ...facts };
  const players = scores.map((score, place) => ({ seat: place + 1, name: NAMES[place], score }));
  return { ...rest, state: { players, on_turn: turn, winner }, extras: { step } };
};
const call = (moment, rule = '', sum = null) => [{ sentence: '', moment, rule, sum }];

/** Show snapshots one after another; return what is said at the last one. */
function said(level, ...shown) {
  let memory = null;
  let found = [];
  for (const each of shown) ({ memory, said: found } = nextSpoken(memory, snapshot(each)));
  return partsAt(found, level);
}

test('a score says what was gained, the score, and whose turn it is', () => {
  const kept = { called: 2, moment: 'score', calls: call('score'), scores: [2400, 0], turn: 2 };
  const score = [{ sound: 'score' }, { number: 600 }, { phrase: 'your-score' }, { number: 2400 }];
  assert.deepEqual(said('all', {}, kept), [...score, { phrase: 'your-turn', name: 'Bob' }]);
  assert.deepEqual(said('low', {}, kept), score);
});

test('a bust, a stop and the Vander Rule are said with the rule that may have words of its own', () => {
  for (const [moment, rule] of [['bust', 'I.2-16'], ['stop', 'T.2-5'], ['vander', 'I.2-19']]) {
    assert.deepEqual(said('low', {}, { called: 2, moment, calls: call(moment, rule), turn: 2 }), [{ sound: moment }, { phrase: moment, rule }]);
  }
});

test('a throw says the points of the turn once it is ruled on, not while hands park dice', () => {
  assert.deepEqual(said('all', {}, { turn_points: 300 }), []);
  assert.deepEqual(said('all', {}, { turn_points: 300 }, { called: 2, turn_points: 300 }), [{ sound: 'accepted' }, { number: 300 }]);
  assert.deepEqual(said('low', {}, { called: 2, turn_points: 300 }), [{ sound: 'accepted' }]);
});

test('a throw of plain dice says their sum', () => {
  assert.deepEqual(said('all', {}, { called: 2, calls: call('', '', { total: 11 }) }), [{ sound: 'accepted' }, { number: 11 }]);
});

test('the winner is named, and a shared win is one', () => {
  const won = { called: 2, moment: 'win', calls: call('win', 'T.2-12'), turn: 0, winner: [1] };
  assert.deepEqual(said('low', {}, won), [{ sound: 'win' }, { phrase: 'wins', name: 'Ann', without: 'win', rule: 'T.2-12' }]);
  assert.deepEqual(said('low', {}, { ...won, winner: [1, 2] }).at(-1), { phrase: 'shared-win' });
});

test('after a correction only what it changed is said, and nothing where it changed nothing', () => {
  const corrected = { interventions: [{ number: 7, deed: 'correct' }] };
  assert.deepEqual(said('low', {}, corrected), []);
  assert.deepEqual(said('low', {}, { ...corrected, scores: [1700, 0] }), [{ phrase: 'corrected' }, { phrase: 'your-score', name: 'Ann' }, { number: 1700 }]);
  assert.deepEqual(said('low', {}, { ...corrected, turn_points: 250 }), [{ phrase: 'corrected' }, { phrase: 'turn-points' }, { number: 250 }]);
  assert.deepEqual(said('low', {}, { ...corrected, scores: [1700, 0] }, { ...corrected, scores: [1700, 0] }), []);
});

test('a step taken back says so, and whose turn it is again', () => {
  const parts = said('low', { turn: 2 }, { called: 0, turn: 1, interventions: [{ number: 9, deed: 'undo' }] });
  assert.deepEqual(parts, [{ phrase: 'taken-back' }, { phrase: 'your-turn', name: 'Ann' }]);
});

test('nothing is said of what was there when the page was opened, nor twice', () => {
  const bust = { called: 2, moment: 'bust', calls: call('bust') };
  assert.deepEqual(said('all', bust), []);
  assert.deepEqual(said('all', {}, bust, bust), []);
});

test('a new game begins with whose turn it is; one that goes on elsewhere says nothing', () => {
  assert.deepEqual(said('all', {}, { step: '2.0', called: 0, scores: [0, 0] }), [{ sound: 'accepted' }, { phrase: 'new-game' }, { phrase: 'your-turn', name: 'Ann' }]);
  assert.deepEqual(said('all', {}, { step: '2.9', called: 9 }), []);
});

test('a question is said once, a breach and a full disk at the lower level too', () => {
  const asked = { mood: 'ask', questions: [{ number: 3 }] };
  assert.deepEqual(said('all', {}, asked), [{ sound: 'ask' }, { phrase: 'question' }]);
  assert.deepEqual(said('all', {}, asked, asked), []);
  assert.deepEqual(said('low', {}, asked), []);
  assert.deepEqual(said('low', {}, { mood: 'breach' }), [{ sound: 'ask' }, { phrase: 'breach' }]);
  assert.deepEqual(said('low', {}, { unsaved: true }), [{ sound: 'ask' }, { phrase: 'wait' }]);
});

const all = () => true;

test('numbers are put together of clips, and the last one ends the sentence', () => {
  assert.deepEqual(numberClips(0, all), ['0']);
  assert.deepEqual(numberClips(24, all), ['24']);
  assert.deepEqual(numberClips(2400, all), ['2000+', '400']);
  assert.deepEqual(numberClips(12345, all), ['12000+', '300+', '45']);
  assert.deepEqual(numberClips(-7, all), ['minus', '7']);
  assert.deepEqual(numberClips(2400, (key) => !key.endsWith('+')), ['2000', '400']);
});

test('a number without clips is left out, as is a phrase', () => {
  assert.deepEqual(numberClips(21000, (key) => key !== '21000'), []);
  assert.deepEqual(partClips({ phrase: 'bust' }, false, () => false), []);
});

test('a rule with words of its own is said instead of its moment, and what goes without a name where there is no voice', () => {
  assert.deepEqual(partClips({ phrase: 'bust', rule: 'I.2-16' }, false, all), ['rule:I.2-16']);
  assert.deepEqual(partClips({ phrase: 'bust', rule: 'I.2-16' }, false, (key) => key === 'bust'), ['bust']);
  assert.deepEqual(partClips({ phrase: 'wins', without: 'win' }, true, (key) => !key.startsWith('rule')), ['wins']);
  assert.deepEqual(partClips({ phrase: 'wins', without: 'win' }, false, (key) => !key.startsWith('rule')), ['win']);
});
