import assert from 'node:assert/strict';
import { test } from 'node:test';

import { canBegin, middleOf, nextThing, offersCorners, placeLabels } from '../../web/static/sight.js';

const finding = (verdict, told) => ({ name: 'tray', verdict, told, advice: '', place: [] });

test('the first finding is what is to be done next, and without one all is well', () => {
  assert.equal(nextThing([finding('bad', 'Marker 2 is covered.'), finding('bad', 'It is too dark.')]).told, 'Marker 2 is covered.');
  assert.deepEqual([nextThing([]).verdict, nextThing([]).told], ['good', 'All is well.']);
});

test('what is unsure keeps nobody from beginning', () => {
  assert.ok(canBegin([]) && canBegin([finding('unsure', '')]));
  assert.ok(!canBegin([finding('unsure', ''), finding('bad', '')]));
});

test('corners are tapped where not all four markers are in sight, or were tapped before', () => {
  const markers = [0, 1, 2, 3].map((number) => ({ number }));
  assert.ok(!offersCorners({ markers, is_tapped: false }));
  assert.ok(offersCorners({ markers: markers.slice(1), is_tapped: false }));
  assert.ok(offersCorners({ markers, is_tapped: true }));
});

test('the middle of a place lies between its corners', () => {
  assert.deepEqual(middleOf([[0, 0], [1, 0], [1, 0.5], [0, 0.5]]), [0.5, 0.25]);
});

test('labels lie within the picture, and none on another', () => {
  const labels = [[0.99, 0.99], [0.95, 0.95], [0.5, 0.02], [0.9, 0.97]].map((at) => ({ width: 120, height: 40, at }));
  const boxes = placeLabels(labels, { width: 360, height: 270 });
  for (const [number, box] of boxes.entries()) {
    assert.ok(box && box.left >= 0 && box.top >= 0 && box.left + 120 <= 360 && box.top + 40 <= 270);
    for (const other of boxes.slice(number + 1)) assert.ok(Math.abs(box.left - other.left) >= 120 || Math.abs(box.top - other.top) >= 40);
  }
});

test('a label without room is left out, and the one that is to be done first has it', () => {
  const labels = Array.from({ length: 6 }, () => ({ width: 200, height: 60, at: [0.5, 0.5] }));
  const boxes = placeLabels(labels, { width: 240, height: 200 });
  assert.ok(boxes[0]);
  assert.equal(boxes.at(-1), null);
});
