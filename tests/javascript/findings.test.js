import assert from 'node:assert/strict';
import { test } from 'node:test';

import { summarize } from '../../web/static/findings.js';

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
