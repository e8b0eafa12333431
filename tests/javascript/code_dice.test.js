import assert from 'node:assert/strict';
import { test } from 'node:test';

import { scannedCode } from '../../web/static/code_dice.js';

test('a scanned code is six faces and nothing else', () => {
  assert.deepEqual(scannedCode('#314152'), [3, 1, 4, 1, 5, 2]);
  for (const fragment of ['', '#', '#31415', '#3141526', '#714152', '#here']) assert.deepEqual(scannedCode(fragment), []);
});
