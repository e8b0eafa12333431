import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SpeechWatch, isBeginning, minutesFor, nextPlace, recordedKeys, wavFile } from '../../web/static/voice/recording.js';

const RATE = 48000;
const BLOCK = 1024;
const block = (level) => Float32Array.from({ length: BLOCK }, (_, place) => (place % 2 ? level : -level));

/** Let a watch hear levels, each for some seconds; return the seconds after which it had enough. */
function heardFor(watch, ...levels) {
  let blocks = 0;
  for (const [level, seconds] of levels) {
    for (let left = Math.round((seconds * RATE) / BLOCK); left > 0; left -= 1) {
      blocks += 1;
      if (!watch.hear(block(level))) return (blocks * BLOCK) / RATE;
    }
  }
  return Infinity;
}

test('a sentence is over a moment after somebody has finished speaking', () => {
  const watch = new SpeechWatch(RATE, 9);
  const over = heardFor(watch, [0.002, 1], [0.1, 1.5], [0.002, 5]);
  assert.ok(over > 3.3 && over < 3.5, `${over}`);
  assert.ok(watch.hasSpoken);
});

test('a breath within a sentence does not end it', () => {
  assert.ok(heardFor(new SpeechWatch(RATE, 9), [0.1, 0.5], [0.002, 0.6], [0.1, 0.5], [0.002, 3]) > 2.4);
});

test('a loud room is no speech, and neither is a knock', () => {
  const [room, knock] = [new SpeechWatch(RATE, 9), new SpeechWatch(RATE, 9)];
  assert.ok(heardFor(room, [0.02, 20]) < 8.1);
  heardFor(knock, [0.002, 1], [0.5, 0.04], [0.002, 20]);
  assert.ok(!room.hasSpoken && !knock.hasSpoken);
});

test('a recording ends when it is as long as it may be', () => {
  assert.ok(heardFor(new SpeechWatch(RATE, 3), [0.002, 0.5], [0.1, 20]) < 3.1);
});

test('a WAV file has one channel of 16 bits', () => {
  const bytes = new DataView(wavFile(Float32Array.of(0, 1, -1, 2), 16000));
  const text = (at) => String.fromCharCode(...[0, 1, 2, 3].map((place) => bytes.getUint8(at + place)));
  assert.deepEqual([text(0), text(8), text(36)], ['RIFF', 'WAVE', 'data']);
  assert.deepEqual([bytes.getUint16(22, true), bytes.getUint32(24, true), bytes.getUint16(34, true)], [1, 16000, 16]);
  assert.deepEqual([0, 1, 2, 3].map((place) => bytes.getInt16(44 + 2 * place, true)), [0, 32767, -32767, 32767]);
  assert.equal(bytes.getUint32(40, true), 8);
});

const SENTENCES = ['a', 'b', 'c'].map((key) => ({ key }));

test('the next sentence is the next that is not recorded, from the beginning again at the end', () => {
  assert.equal(nextPlace(SENTENCES, new Set(['a']), 0), 1);
  assert.equal(nextPlace(SENTENCES, new Set(['c']), 2), 0);
  assert.equal(nextPlace(SENTENCES, new Set(['a', 'b', 'c']), 1), null);
});

test('all that a family records takes less than ten minutes', () => {
  assert.ok(minutesFor(73) < 10);
  assert.equal(minutesFor(1), 1);
});

test('a voice has what it has in a language', () => {
  assert.deepEqual(recordedKeys({ recorded: [{ language: 'de', keys: ['a'] }] }, 'de'), new Set(['a']));
  assert.deepEqual(recordedKeys({ recorded: [] }, 'de'), new Set());
  assert.ok(isBeginning({ text: 'einund-' }) && !isBeginning({ text: 'eins' }));
});
