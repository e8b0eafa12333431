import assert from 'node:assert/strict';
import { test } from 'node:test';

import { knownTheme, nextTheme, themeSentence } from '../../web/static/viewer.js';

test('the colours go round from the device’s own to light and dark', () => {
  assert.equal(nextTheme(''), 'light');
  assert.equal(nextTheme('light'), 'dark');
  assert.equal(nextTheme('dark'), '');
});

test('what was stored by another program is no theme', () => {
  assert.equal(knownTheme('blue'), '');
  assert.equal(knownTheme(null), '');
  assert.equal(knownTheme('dark'), 'dark');
});

test('each theme has its words', () => {
  assert.equal(themeSentence(''), 'Colours: as on this device');
  assert.equal(themeSentence('light'), 'Colours: light');
});
