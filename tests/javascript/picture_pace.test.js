import assert from 'node:assert/strict';
import test from 'node:test';

import { MotionWatch } from '../../web/static/phone_camera/motion_watch.js';
import { isLookDue, isSpared, nextPicture } from '../../web/static/phone_camera/picture_pace.js';

const STILL = { now: 10000, movedAt: 0, sentAt: 9700, fullAt: 9000, needsFull: false, isBehind: false };
const rgba = (levels) => new Uint8ClampedArray(levels.flatMap((level) => [level, level, level, 255]));

/** Return the pictures of some seconds, of a camera with thirty a second. */
function sentIn(ms, { movedUntil, needsFull, isBehind = false }) {
  const sent = [];
  let [movedAt, sentAt, fullAt, lookedAt] = [-Infinity, -Infinity, -1, -Infinity];
  for (let now = 0; now < ms; now += 33) {
    if (!isLookDue({ now, movedAt, lookedAt })) continue;
    const spared = isSpared({ now, movedAt, lookedAt });
    lookedAt = now;
    if (now <= movedUntil) movedAt = now;
    const next = nextPicture({ now, movedAt, sentAt, fullAt, needsFull, isBehind });
    if (!next) continue;
    sent.push({ now, spared, ...next });
    sentAt = now;
    if (next.full) fullAt = now;
  }
  return sent;
}

test('the first picture is a full one, and so is the first after the phone was turned', () => {
  assert.deepEqual(nextPicture({ ...STILL, movedAt: 9999, fullAt: -Infinity }), { full: true });
});

test('while things move small pictures follow each other fast', () => {
  assert.deepEqual(nextPicture({ ...STILL, movedAt: 9990 }), { full: false });
  const sent = sentIn(1000, { movedUntil: 1000, needsFull: true }).map(({ now }) => now);
  assert.deepEqual(sent, Array.from({ length: 31 }, (_, place) => 33 * place));
});

test('where pictures wait to be sent, half as many are taken', () => {
  const sent = sentIn(1000, { movedUntil: 1000, needsFull: true, isBehind: true });
  assert.deepEqual(sent.slice(0, 4).map(({ now }) => now), [0, 66, 132, 198]);
});

test('a camera whose pictures come a little early or late is looked at with each of them', () => {
  assert.ok([24, 33, 42].every((since) => isLookDue({ now: 10000, movedAt: 9990, lookedAt: 10000 - since })));
  assert.deepEqual(nextPicture({ ...STILL, movedAt: 10000, sentAt: 9976 }), { full: false });
});

test('with the first still picture after motion comes a full one, and then every picture until the dice have lain still', () => {
  const sent = sentIn(2000, { movedUntil: 500, needsFull: false });
  assert.deepEqual(sent.filter(({ full }) => full).map(({ now }) => now), [528]);
  assert.deepEqual(sent.filter(({ now }) => now > 528 && now < 665).map(({ now }) => now), [561, 594, 627, 660]);
});

test('full pictures follow while the box has not read the dice, and seldom when it takes long', () => {
  const full = sentIn(10000, { movedUntil: 0, needsFull: true }).filter((picture) => picture.full).map(({ now }) => now);
  assert.ok(full.filter((now) => now < 1500).length >= 8);
  assert.ok(full.filter((now) => now >= 2000).length <= 9);
});

test('at rest at most three small pictures a second go out, waited with on purpose, and never fewer than the box calls a gap', () => {
  const sent = sentIn(10000, { movedUntil: 0, needsFull: false }).filter(({ now }) => now > 2000);
  assert.ok(sent.every(({ spared, full }) => spared && !full));
  assert.ok(sent.length / 8 <= 3);
  assert.ok(sent.every(({ now }, place) => place === 0 || now - sent[place - 1].now < 500));
});

test('the first picture of a motion after a rest was waited with, but for a page that slept meanwhile', () => {
  assert.ok(isSpared({ now: 10000, movedAt: 2000, lookedAt: 9950 }));
  assert.ok(!isSpared({ now: 10000, movedAt: 2000, lookedAt: 9700 }));
  assert.ok(!isSpared({ now: 10000, movedAt: 9700, lookedAt: 9950 }));
});

test('what changes by more than noise in some places is motion', () => {
  const watch = new MotionWatch();
  assert.equal(watch.sees(rgba(Array(100).fill(90))), true);
  assert.equal(watch.sees(rgba(Array(100).fill(96))), false);
  assert.equal(watch.sees(rgba([...Array(6).fill(140), ...Array(94).fill(96)])), true);
  assert.equal(watch.sees(rgba([...Array(9).fill(140), ...Array(91).fill(96)])), false);
  assert.equal(watch.sees(rgba(Array(80).fill(96))), true);
});
