import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sleep } from '../../web/static/live_view.js';
import { MotionWatch, PictureSender, isLookDue, isSpared, nextPicture } from '../../web/static/phone_camera/picture_sender.js';

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

const JPEGS = async () => [new Blob(['small']), null];

/** A network: answers what the box does, and fails while it is gone. `came` are the numbers of the pictures that came. */
function network() {
  const box = { isGone: false, begun: 0, came: [] };
  globalThis.fetch = async (url) => {
    if (box.isGone) throw new TypeError('no network');
    if (url.endsWith('/begin')) return Response.json({ stream: (box.begun += 1) });
    box.came.push(Number(new URL(url, 'http://box').searchParams.get('number')));
    return Response.json({ needs_full: false, guide: null });
  };
  return box;
}

async function begun(heard = () => null) {
  const sender = new PictureSender(heard);
  await sender.begin();
  return sender;
}

/** Send pictures as a phone does while things move, for so long. */
async function sendFor(sender, ms) {
  for (const until = performance.now() + ms; performance.now() < until; await sleep(60)) {
    if (sender.isReady) sender.send(performance.now(), false, false, JPEGS);
  }
}

test('what was taken while the network was gone for a moment follows in its order, in the same stream', async () => {
  const box = network();
  const sender = await begun();
  await sendFor(sender, 200);
  box.isGone = true;
  await sendFor(sender, 700);
  box.isGone = false;
  await sendFor(sender, 400);
  assert.equal(box.begun, 1);
  assert.deepEqual(box.came, Array.from(box.came, (_, place) => place + 1));
  assert.ok(box.came.length >= 15);
});

test('after a longer loss a new stream begins, with nothing of before', async () => {
  const box = network();
  const problems = [];
  const sender = await begun((answer, problem) => answer || problems.push(problem));
  box.isGone = true;
  await sendFor(sender, 2300);
  assert.ok(problems.length > 0);
  assert.ok(sender.waiting.length === 0 && !sender.isReady);
  box.isGone = false;
  await sleep(700);
  await sendFor(sender, 100);
  assert.equal(box.begun, 2);
  assert.equal(box.came[0], 1);
});

test('a window whose device sends from another one stops, and says so', async () => {
  const box = network();
  const problems = [];
  const sender = await begun((answer, problem) => answer || problems.push(problem));
  const fetchNow = globalThis.fetch;
  globalThis.fetch = async (url) => (url.includes('/picture') ? Response.json({ error: 'Another window.' }, { status: 403 }) : fetchNow(url));
  for (let number = 1; number <= 3; number += 1) sender.send(performance.now(), number === 1, false, JPEGS);
  while (!problems.length) await sleep(1);
  await sleep(10);
  assert.deepEqual([problems, sender.isReady, box.begun], [['Another window.'], false, 1]);
});

test('a phone is behind once more pictures wait than a full one holds up, until they are sent', async () => {
  const box = network();
  const sender = await begun();
  const answered = [];
  const fetchNow = globalThis.fetch;
  globalThis.fetch = async (url) => {
    await new Promise((resolve) => answered.push(resolve));
    return fetchNow(url);
  };
  for (let number = 1; number <= 8; number += 1) sender.send(performance.now(), number === 1, false, JPEGS);
  assert.equal(sender.isBehind, true);
  while (box.came.length < 8) {
    answered.splice(0).forEach((resolve) => resolve());
    await sleep(1);
  }
  assert.equal(sender.isBehind, false);
});
