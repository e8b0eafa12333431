import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AnswerOrder } from '../../web/static/answer_order.js';

/** Return a promise that is resolved later. */
function later() {
  let resolve = (/** @type {any} */ _answer) => {};
  const promise = new Promise((act) => (resolve = act));
  return { promise, resolve };
}

test('an answer is not shown after that of a later request', async () => {
  const order = new AnswerOrder();
  const [slow, quick] = [later(), later()];
  const looks = [order.look(slow.promise), order.look(quick.promise)];
  quick.resolve('new');
  assert.equal(await looks[1], 'new');
  slow.resolve('old');
  assert.equal(await looks[0], undefined);
});

test('answers that come in order are all shown', async () => {
  const order = new AnswerOrder();
  const [first, second] = [later(), later()];
  const looks = [order.look(first.promise), order.look(second.promise)];
  first.resolve('old');
  assert.equal(await looks[0], 'old');
  second.resolve(null);
  assert.equal(await looks[1], null);
});

test('what was asked for before a change is older than its answer, and what is asked for after it is newer', async () => {
  const order = new AnswerOrder();
  const [before, meanwhile, change] = [later(), later(), later()];
  const first = order.look(before.promise);
  const changed = order.change(change.promise);
  const second = order.look(meanwhile.promise);
  change.resolve('changed');
  assert.equal(await changed, 'changed');
  before.resolve('old');
  meanwhile.resolve('old');
  assert.deepEqual([await first, await second], [undefined, undefined]);
  assert.equal(await order.look(Promise.resolve('new')), 'new');
});
