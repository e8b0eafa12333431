import assert from 'node:assert/strict';
import { test } from 'node:test';

import { diceLayout, fittingZoom } from '../../web/static/fit.js';

const LIMITS = { most: 120, least: 40, frame: { width: 20, height: 30 }, under: 20 };

test('what fits is drawn in its own size, else as large as fits', () => {
  assert.equal(fittingZoom(() => false, 0.5), 1);
  assert.equal(fittingZoom((zoom) => zoom > 0.8, 0.5), 0.8);
  assert.equal(fittingZoom((zoom) => zoom > 0.1, 0.6), 0.6);
});

test('dice are as large as their place allows', () => {
  assert.equal(diceLayout([2, 1], { width: 600, height: 300 }, LIMITS).edge, 120);
  const { edge } = diceLayout([10], { width: 360, height: 200 }, LIMITS);
  assert.ok(edge >= 60 && edge < 70, String(edge));
  assert.equal(diceLayout([30], { width: 100, height: 100 }, LIMITS).edge, 40);
});

test('zones stand next to each other, in rows, where the dice are larger so', () => {
  const { edge, across } = diceLayout([5, 1], { width: 400, height: 260 }, { ...LIMITS, under: 26, heading: 100 });
  assert.ok(edge >= 84, String(edge));
  assert.deepEqual(across, [3, 1]);
});
