import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ASLEEP_MS, gameNumber, hasRestarted, isNewer, newConnection, onFailed, onPolled, onStreamOpened, onStreamed, onTick, stampOf } from '../../web/static/events.js';

const stamp = (number, run = 'one') => ({ number, run });
const heard = (number, run) => onStreamed(newConnection(0), stamp(number, run));

test('numbers count within a run of the server', () => {
  assert.ok(isNewer(stamp(1), null));
  assert.ok(isNewer(stamp(2), stamp(1)));
  assert.ok(!isNewer(stamp(2), stamp(2)));
  assert.ok(!isNewer(stamp(1), stamp(2)));
  assert.ok(isNewer(stamp(1, 'two'), stamp(9)));
});

test('a snapshot has its number and its run', () => {
  assert.deepEqual(stampOf({ number: 4, extras: { run: 'one', step: '3.12' } }), stamp(4));
});

test('a server that was started again is told from one that goes on, and from the first that is heard', () => {
  assert.ok(!hasRestarted(newConnection(0), stamp(1)));
  assert.ok(!hasRestarted(heard(1), stamp(2)));
  assert.ok(hasRestarted(heard(9), stamp(1, 'two')));
});

test('the number of the game stands before the point of a step', () => {
  assert.equal(gameNumber('12.34'), '12');
  assert.equal(gameNumber(''), '');
});

test('a polled snapshot is shown if the stream has not brought it', () => {
  assert.equal(onPolled(heard(4), stamp(5), false).show, true);
  assert.equal(onPolled(heard(4), stamp(4), false).show, false);
  assert.equal(onPolled(heard(4), stamp(3), false).show, false);
});

test('a stream that misses two snapshots in a row is opened again', () => {
  const once = onPolled(heard(4), stamp(5), false);
  assert.equal(once.reopen, false);
  const twice = onPolled(once.connection, stamp(6), false);
  assert.equal(twice.reopen, true);
  assert.equal(onPolled(onStreamOpened(twice.connection), stamp(7), false).reopen, false);
});

test('a stream that brings something between has missed nothing', () => {
  const once = onPolled(heard(4), stamp(5), false);
  const between = onStreamed(once.connection, stamp(6));
  assert.equal(onPolled(between, stamp(7), false).reopen, false);
});

test('a poll that finds nothing new forgives what the stream missed', () => {
  const once = onPolled(heard(4), stamp(5), false);
  const quiet = onPolled(once.connection, stamp(5), false);
  assert.equal(onPolled(quiet.connection, stamp(6), false).reopen, false);
});

test('a stream that the browser has closed is opened again at once', () => {
  assert.equal(onPolled(heard(4), stamp(4), true).reopen, true);
});

test('an older snapshot that was polled late does not count as the newest', () => {
  const { connection } = onPolled(heard(4), stamp(3), false);
  assert.deepEqual(connection.newest, stamp(4));
});

test('after a failure every tick polls until something is heard', () => {
  const failing = onFailed(heard(4));
  assert.equal(onTick(failing, 2000, false).next, 'poll');
  assert.equal(onTick(onStreamed(failing, stamp(5)), 2000, false).next, 'none');
  assert.equal(onTick(onPolled(failing, stamp(4), false).connection, 2000, false).next, 'none');
  assert.equal(onTick(heard(4), 2000, true).next, 'poll');
});

test('a tick that is late means that the page slept', () => {
  const ticked = onTick(heard(4), ASLEEP_MS + 1, false);
  assert.equal(ticked.next, 'wake');
  assert.equal(onTick(ticked.connection, ASLEEP_MS + 2001, false).next, 'none');
  assert.equal(onTick(heard(4), ASLEEP_MS, false).next, 'none');
});
