import assert from 'node:assert/strict';
import { test } from 'node:test';

import { barsOf, isCalm, playerOf, summarize, symbolOfMark, totalsOf } from '../../web/static/report_view.js';

test('the largest count is the longest bar, and blind seconds come last', () => {
  const bars = barsOf({ counts: [{ mark: 'answer', title: 'a', count: 4 }, { mark: 'breach', title: 'b', count: 1 }], blind_s: 3.5 });
  assert.deepEqual(bars.map(({ share }) => share), [100, 25, 3.5]);
  assert.equal(bars.at(-1).unit, ' s');
});

test('a game in which nothing happened has no bars', () => {
  assert.ok(isCalm({ counts: [] }));
  assert.deepEqual(barsOf({ counts: [], blind_s: 0 }), []);
});

test('several games are added up', () => {
  const counts = (count) => ({ counts: [{ mark: 'breach', title: 'Breaches', count: 2 }, { mark: 'answer', title: 'Answers', count }] });
  assert.deepEqual(totalsOf([counts(1), counts(5)]), [{ title: 'Answers', count: 6 }, { title: 'Breaches', count: 4 }]);
  assert.deepEqual(totalsOf([]), []);
});

test('a turn has its player, and a mark its symbol', () => {
  assert.equal(playerOf({ players: ['Ann', 'Bob'] }, { seat: 2 }), 'Bob');
  assert.equal(playerOf({ players: ['Ann'] }, { seat: 0 }), '');
  assert.equal(symbolOfMark('take-back'), 'back');
});

const findings = (...verdicts) => verdicts.map((verdict, place) => ({ name: String(place), title: '', verdict, told: '', advice: '' }));

test('the worst finding gives the verdict, and comes first', () => {
  const { worst, poor, good } = summarize(findings('good', 'unsure', 'bad'));
  assert.equal(worst, 'bad');
  assert.deepEqual(poor.map(({ verdict }) => verdict), ['bad', 'unsure']);
  assert.equal(good.length, 1);
});

test('the summary counts what must be mended and what could be better', () => {
  assert.equal(summarize(findings('bad', 'unsure', 'unsure')).summary, '1 thing must be mended, 2 things could be better.');
  assert.equal(summarize(findings('bad', 'bad')).summary, '2 things must be mended.');
  assert.equal(summarize(findings('unsure', 'good')).summary, 'It works; 1 thing could be better.');
  assert.deepEqual([summarize(findings('good')).summary, summarize([]).worst], ['All is well.', 'good']);
});
