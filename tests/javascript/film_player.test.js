import assert from 'node:assert/strict';
import { test } from 'node:test';

import { pictureAfter, readFilm } from '../../web/static/film_player.js';

const bytes = (text) => new TextEncoder().encode(text);

function film(index, body) {
  const text = bytes(JSON.stringify(index));
  const head = new DataView(new ArrayBuffer(8));
  head.setUint32(0, text.length);
  return new Uint8Array([...bytes('VANDER FILM 1\n'), ...new Uint8Array(head.buffer), ...text, ...bytes(body)]).buffer;
}

test('a film gives its pictures, and their times from the first one', () => {
  const { times, pictures, before } = readFilm(film({ times: [7, 7.5], sizes: [3, 2], before: 1 }, 'one2!crop'));
  assert.deepEqual(times, [0, 0.5]);
  assert.deepEqual(pictures.map((picture) => new TextDecoder().decode(picture)), ['one', '2!']);
  assert.equal(before, 1);
});

test('what is no film, or cut short, is refused', () => {
  assert.throws(() => readFilm(new ArrayBuffer(0)));
  assert.throws(() => readFilm(bytes('something else entirely').buffer));
  assert.throws(() => readFilm(film({ times: [1], sizes: [99], before: 0 }, 'one')));
});

test('the picture of a moment is the last one that was taken by then', () => {
  const times = [0, 0.2, 0.4, 5];
  assert.equal(pictureAfter(times, 0, 0.3), 1);
  assert.equal(pictureAfter(times, 1, 0.3), 2);
  assert.equal(pictureAfter(times, 2, 60), 3);
});
