import assert from 'node:assert/strict';
import { test } from 'node:test';

import { capturedUrl, dieSetApi, dieSetPage, pictureUrl } from '../../web/static/urls.js';

test('names are escaped in addresses', () => {
  assert.equal(pictureUrl('a/b'), '/pictures/a%2Fb.jpg');
  assert.equal(capturedUrl('c-moon-1'), '/captured/c-moon-1.jpg');
  assert.equal(dieSetPage('a b'), '/dice/a%20b');
  assert.equal(dieSetApi('a b'), '/api/teaching/dice/a%20b');
});

test('a die set has pages and endpoints', () => {
  assert.equal(dieSetPage('moon', 'capture', { kind: 'die', face: 'sun' }), '/dice/moon/capture?kind=die&face=sun');
  assert.equal(dieSetPage('moon', 'pictures'), '/dice/moon/pictures');
  assert.equal(dieSetApi('moon', 'go-back'), '/api/teaching/dice/moon/go-back');
});
