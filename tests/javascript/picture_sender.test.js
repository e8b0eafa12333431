import assert from 'node:assert/strict';
import test from 'node:test';

import { PictureSender } from '../../web/static/phone_camera/picture_sender.js';
import { sleep } from '../../web/static/timing.js';

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
