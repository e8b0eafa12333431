import assert from 'node:assert/strict';
import { test } from 'node:test';

import { staysLeader } from '../../web/static/shared_stream.js';

const seen = (id) => ({ id, isHidden: false });
const hidden = (id) => ({ id, isHidden: true });
const LONG_MS = 60000;

test('the page that begins to lead leads', () => {
  assert.ok(!staysLeader(seen('b'), seen('a'), LONG_MS));
  assert.ok(!staysLeader(hidden('b'), hidden('a'), LONG_MS));
});

test('a page that is seen leads one that is hidden', () => {
  assert.ok(staysLeader(seen('a'), hidden('b'), LONG_MS));
  assert.ok(!staysLeader(hidden('b'), seen('a'), 0));
});

test('of two that begin at once exactly one leads', () => {
  assert.ok(staysLeader(seen('b'), seen('a'), 10));
  assert.ok(!staysLeader(seen('a'), seen('b'), 10));
});
