import assert from 'node:assert/strict';
import { test } from 'node:test';

import { magnifierPlace, movedByKey, nearestCorner, sizeAsItLies, usualSize, withCorner } from '../../web/static/corners/corner_editor.js';

const CORNERS = [[0.1, 0.2], [0.9, 0.2], [0.9, 0.8], [0.1, 0.8]];
const SIZE = { width: 1280, height: 960 };
const BOX = { width: 360, height: 270 };

test('a corner is moved alone and stays in the picture', () => {
  const moved = withCorner(CORNERS, 1, [1.2, -0.1]);
  assert.deepEqual(moved[1], [1, 0]);
  assert.deepEqual(moved[0], CORNERS[0]);
  assert.deepEqual(CORNERS[1], [0.9, 0.2]);
});

test('an arrow key moves by a pixel of the still, with Shift by twenty, and another key by nothing', () => {
  assert.deepEqual(movedByKey([0.5, 0.5], 'ArrowLeft', false, SIZE), [0.5 - 1 / 1280, 0.5]);
  assert.deepEqual(movedByKey([0.5, 0.5], 'ArrowDown', true, SIZE), [0.5, 0.5 + 20 / 960]);
  assert.equal(movedByKey([0.5, 0.5], 'Tab', false, SIZE), null);
});

test('a tap takes the nearest corner', () => {
  assert.equal(nearestCorner(CORNERS, [0.8, 0.7], SIZE), 2);
  assert.equal(nearestCorner(CORNERS, [0, 0], SIZE), 0);
});

test('the magnifier is whole in the picture and never under the finger', () => {
  for (const spot of [...CORNERS, [0, 0], [1, 0], [1, 1], [0, 1], [0.5, 0.5]]) {
    const { left, top } = magnifierPlace(spot, BOX);
    assert.ok(left >= 0 && left + 132 <= BOX.width && top >= 0 && top + 132 <= BOX.height, `${spot}`);
    const across = spot[0] * BOX.width;
    assert.ok(across < left - 20 || across > left + 132 + 20, `${spot}`);
  }
});

test('the long side goes with the long edges as they are seen', () => {
  assert.deepEqual(sizeAsItLies(CORNERS, SIZE, 300, 200), { width_mm: 300, height_mm: 200 });
  const upright = CORNERS.map(([x, y]) => [y, x]);
  assert.deepEqual(sizeAsItLies(upright, SIZE, 300, 200), { width_mm: 200, height_mm: 300 });
});

test('a kept size is found among the usual ones whichever way it lies', () => {
  assert.equal(usualSize(200, 300), 'tray');
  assert.equal(usualSize(303, 232), '');
});
