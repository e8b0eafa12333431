import assert from 'node:assert/strict';
import { test } from 'node:test';

import { dateTime, diskUse, duplicate, listed, pastTime, percent, percentRange, quota, ratio, timeLeft, waitingTime } from '../../web/static/format.js';

test('a share is said in percent, with a decimal where it has one', () => {
  assert.equal(percent(0.982), '98.2 %');
  assert.equal(percent(0.5), '50 %');
  assert.equal(percent(1), '100 %');
});

test('a range is two figures, or one if they are the same', () => {
  assert.equal(percentRange({ low: 0.982, high: 0.9991 }), '98.2 to 99.9 %');
  assert.equal(percentRange({ low: 0.5001, high: 0.5002 }), '50 %');
});

test('an empty whole has no share', () => {
  assert.equal(ratio(3, 4), 0.75);
  assert.equal(ratio(0, 0), 0);
});

test('a time is said as people say it, and other text stays', () => {
  assert.match(dateTime('2026-11-21T18:30:00'), /^21 November.* 18:30$/);
  assert.equal(dateTime('yesterday'), 'yesterday');
  assert.equal(dateTime('2026-99-99T18:30:00'), '2026-99-99T18:30:00');
  assert.equal(dateTime(''), '');
  assert.match(pastTime('2025-11-21T18:30:00'), /^21 November 2025.* 18:30$/);
  assert.equal(pastTime('yesterday'), 'yesterday');
});

test('what is left of a code is said in minutes', () => {
  assert.equal(timeLeft(300), '5 minutes left');
  assert.equal(timeLeft(61), '2 minutes left');
  assert.equal(timeLeft(60), 'less than a minute left');
});

test('a wait is said in seconds up to a minute and a half', () => {
  assert.equal(waitingTime(89), '89 s');
  assert.equal(waitingTime(90), '2 minutes');
});

test('disk space is said in megabytes and gigabytes', () => {
  assert.equal(quota(500), '500 MB');
  assert.equal(quota(2000), '2 GB');
  assert.equal(diskUse(8.44), '8.4 MB used');
  assert.equal(diskUse(87.4), '87 MB used');
});

test('names are listed', () => {
  assert.equal(listed(['Ann']), 'Ann');
  assert.equal(listed(['Ann', 'Bob']), 'Ann and Bob');
  assert.equal(listed(['Ann', 'Bob', 'Cy']), 'Ann, Bob and Cy');
});

test('a name that stands twice is found whatever its case and spaces', () => {
  assert.equal(duplicate(['Ann  Lee', 'Bob', ' ann lee']), ' ann lee');
  assert.equal(duplicate(['Ann', 'Bob', 'ann']), 'ann');
  assert.equal(duplicate(['Ann', 'Bob']), undefined);
});
