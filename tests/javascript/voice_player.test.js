import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';

import { VoicePlayer, partClips, partsSince } from '../../web/static/voice/voice_player.js';

const SCORE = { number: 5, level: 'low', parts: [{ sound: 'score' }] };
const TURN = { number: 5, level: 'all', parts: [{ clips: [['your-turn']], name: 'Bob', unnamed: [] }] };
const BUST = { number: 9, level: 'low', parts: [{ sound: 'bust' }] };
const snapshot = (number, utterances, run = 'a') => ({ number, utterances, extras: { run } });
const stamp = (number, run = 'a') => ({ number, run });

test('a tablet says what it has not heard of yet, once', () => {
  assert.deepEqual(partsSince(stamp(4), snapshot(5, [SCORE, TURN]), 'all'), [...SCORE.parts, ...TURN.parts]);
  assert.deepEqual(partsSince(stamp(5), snapshot(6, [SCORE, TURN]), 'all'), []);
});

test('a tablet that missed a snapshot says what that brought too', () => {
  assert.deepEqual(partsSince(stamp(4), snapshot(9, [SCORE, BUST]), 'all'), [...SCORE.parts, ...BUST.parts]);
});

test('a caller that says a little leaves the rest out', () => {
  assert.deepEqual(partsSince(stamp(4), snapshot(5, [SCORE, TURN]), 'low'), SCORE.parts);
});

test('nothing is said of what was there when the page was opened, or of another run of the table', () => {
  assert.deepEqual(partsSince(null, snapshot(5, [SCORE]), 'all'), []);
  assert.deepEqual(partsSince(stamp(4, 'b'), snapshot(5, [SCORE]), 'all'), []);
});

test('the first row is said of which the voice has all clips', () => {
  const number = { clips: [['2000+', '400'], ['2000', '400']] };
  assert.deepEqual(partClips(number, false, () => true), ['2000+', '400']);
  assert.deepEqual(partClips(number, false, (key) => !key.endsWith('+')), ['2000', '400']);
  assert.deepEqual(partClips(number, false, () => false), []);
  assert.deepEqual(partClips({ sound: 'score' }, false, () => true), []);
});

test('what goes without a name is said where there is no voice for it', () => {
  const won = { clips: [['rule:T.2-12'], ['wins']], name: 'Ann', unnamed: [['rule:T.2-12'], ['win']] };
  const has = (key) => !key.startsWith('rule');
  assert.deepEqual(partClips(won, true, has), ['wins']);
  assert.deepEqual(partClips(won, false, has), ['win']);
  assert.deepEqual(partClips({ clips: [['your-turn']], name: 'Ann', unnamed: [] }, false, has), ['your-turn']);
});

const KEYS = ['9', '12', 'question', 'corrected', 'long'];
const PACK = { buffer: {}, mark: 0, over: null, clips: Object.fromEntries(KEYS.map((key, place) => [key, [10 * place, key === 'long' ? 4 : 0.8]])) };
const RULED = [{ sound: 'accepted' }, { clips: [['9']] }];
const NEXT = [{ sound: 'accepted' }, { clips: [['12']] }];
const ASKED = [{ sound: 'ask' }, { clips: [['question']] }];
const param = () => ({ setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {}, setTargetAtTime() {} });

/** What was started: `{clip, at, out}` of clips, `{clip: 'tone', ...}` of sounds. */
let started = [];
/** What the next contexts are: their state, and what a tap makes of it. */
let device;

class Device extends EventTarget {
  constructor() {
    super();
    Object.assign(this, { state: 'running', currentTime: 0, destination: { name: 'speaker' }, closed: false }, device);
  }

  resume() {
    return this.onResume?.(this) ?? Promise.resolve();
  }

  async close() {
    this.state = 'closed';
  }
}

class Node {
  constructor() {
    Object.assign(this, { gain: param(), frequency: param() });
  }

  connect(out) {
    this.out = out;
    return out;
  }

  disconnect() {}

  stop() {}
}

class Clip extends Node {
  start(at, first) {
    started.push({ clip: KEYS[first / 10], at, out: this.out });
  }
}

class Tone extends Node {
  start(at) {
    started.push({ clip: 'tone', at, out: this.out });
  }
}

Object.assign(globalThis, { AudioContext: Device, GainNode: Node, AudioBufferSourceNode: Clip, OscillatorNode: Tone });

const heard = () => started.filter(({ clip }) => clip !== 'tone').map(({ clip }) => clip);
const player = () => new VoicePlayer(() => {});

function speaking() {
  const one = player();
  one.take(PACK, 'en', '');
  return one;
}

beforeEach(() => {
  started = [];
  device = {};
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
});

/** Let time pass for timers, and all that waits for them go on. */
async function pass(milliseconds) {
  for (let left = milliseconds; left > 0; left -= 100) {
    mock.timers.tick(100);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('a ruling that comes before the clips is said when they come, and its sound at once', () => {
  const one = player();
  one.say(RULED);
  assert.deepEqual([started.length, heard()], [1, []]);
  one.take(PACK, 'en', '');
  assert.deepEqual(heard(), ['9']);
});

test('of rulings before the clips the newest is said, and none that is long ago or was silenced', () => {
  const one = player();
  one.say(RULED);
  one.say(NEXT);
  one.take(PACK, 'en', '');
  assert.deepEqual(heard(), ['12']);
  const late = player();
  late.say(RULED);
  mock.timers.tick(7000);
  late.take(PACK, 'en', '');
  const silenced = player();
  silenced.say(RULED);
  silenced.stop();
  silenced.take(PACK, 'en', '');
  assert.deepEqual(heard(), ['12']);
});

test('a question right after a ruling sounds at once, and its words follow those of the ruling', () => {
  const one = speaking();
  one.say(RULED);
  one.context.currentTime = 0.2;
  one.say(ASKED);
  const [number, question] = started.filter(({ clip }) => clip !== 'tone');
  assert.deepEqual([number.clip, question.clip], ['9', 'question']);
  assert.ok(question.at >= number.at + 0.8 && question.at < number.at + 1, `${question.at}`);
  assert.equal(question.out, number.out);
  assert.ok(started.filter(({ clip }) => clip === 'tone').slice(1).every(({ at }) => at < 0.5));
});

test('a correction ends what it corrects, and so does a ruling where the words would last long', () => {
  const one = speaking();
  one.say(RULED);
  one.say([{ clips: [['corrected']] }]);
  one.say([{ clips: [['long']] }]);
  one.say(NEXT);
  const outs = started.filter(({ clip }) => clip !== 'tone').map(({ out }) => out);
  assert.equal(new Set(outs).size, 4);
  assert.ok(started.every(({ at }) => at < 0.5));
});

test('a sound that no words come with ends no words', () => {
  const one = speaking();
  one.say(RULED);
  const { out } = one;
  one.say([{ sound: 'accepted' }]);
  assert.equal(one.out, out);
});

test('a sound alone takes the place of no words that wait for the device', async () => {
  device = { state: 'suspended', onResume: async (context) => Object.assign(context, { state: 'running' }) };
  const one = speaking();
  one.say(RULED);
  one.say([{ sound: 'accepted' }]);
  await one.resume();
  assert.deepEqual(heard(), ['9']);
});

/** Let the device have a voice for names, each of which takes so long. */
function nameVoice(milliseconds) {
  const spoken = [];
  const speak = (words) => {
    spoken.push(words.text);
    setTimeout(() => words.onstart?.(), 1);
    setTimeout(() => words.onend?.(), milliseconds);
  };
  globalThis.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
  globalThis.speechSynthesis = { getVoices: () => [{ lang: 'en-GB', localService: true }], cancel() {}, speak };
  return spoken;
}

test('a name and its words are finished before those of the next ruling, and a correction ends them', async () => {
  const spoken = nameVoice(500);
  const corrected = [{ clips: [['corrected']] }, { clips: [['9']], name: 'Ann' }];
  const one = speaking();
  one.say(corrected);
  one.say(NEXT);
  assert.deepEqual(heard(), ['corrected']);
  one.context.currentTime = 0.9;
  await pass(2000);
  assert.deepEqual([spoken, heard()], [['Ann'], ['corrected', '9', '12']]);
  one.context.currentTime = 9;
  one.say(corrected);
  one.say(NEXT);
  one.say(ASKED);
  one.say([{ clips: [['long']] }]);
  await pass(2000);
  assert.deepEqual([spoken, heard().slice(3)], [['Ann'], ['corrected', 'question', 'long']]);
  delete globalThis.speechSynthesis;
});

for (const state of ['suspended', 'interrupted']) {
  test(`a tap lets a device that is ${state} go on, and says what was just ruled`, async () => {
    device = { state, onResume: async (context) => Object.assign(context, { state: 'running', currentTime: 0.1 }) };
    const one = speaking();
    const { context } = one;
    assert.ok(!one.isRunning);
    one.say(RULED);
    assert.deepEqual(started, []);
    const resumed = one.resume();
    await pass(300);
    context.currentTime = 0.4;
    await pass(700);
    await resumed;
    assert.equal(one.context, context);
    assert.deepEqual(heard(), ['9']);
  });
}

const REFUSALS = {
  'never answers': () => new Promise(() => {}),
  'refuses and becomes suspended': (context) => {
    context.state = 'suspended';
    return Promise.reject(new Error('InvalidStateError'));
  },
  'runs with a clock that stands still': async (context) => {
    context.state = 'running';
  },
};

for (const [title, onResume] of Object.entries(REFUSALS)) {
  test(`one tap replaces a device that was interrupted and ${title}`, async () => {
    device = { state: 'interrupted', onResume };
    const one = speaking();
    const old = one.context;
    one.say(RULED);
    device = {};
    const resumed = one.resume();
    await pass(1500);
    await resumed;
    assert.notEqual(one.context, old);
    assert.equal(old.state, 'closed');
    assert.ok(one.isRunning);
    assert.deepEqual(heard(), ['9']);
  });
}

test('a clock that stands still after a lock is noticed when the page is seen again, and one that goes is let be', async () => {
  const one = speaking();
  one.checkClock();
  await pass(500);
  assert.ok(!one.isRunning);
  one.context.currentTime = 3;
  assert.ok(one.isRunning);
  one.checkClock();
  one.context.currentTime = 3.3;
  await pass(500);
  assert.ok(one.isRunning);
});

test('a device that opens slowly is waited for, and two taps replace a broken one once', async () => {
  device = { state: 'suspended', onResume: (context) => new Promise((done) => setTimeout(() => done(Object.assign(context, { state: 'running' })), 4000)) };
  const slow = speaking();
  const { context } = slow;
  const resumed = slow.resume();
  await pass(4200);
  await resumed;
  assert.equal(slow.context, context);
  device = { state: 'interrupted', onResume: () => new Promise(() => {}) };
  const broken = speaking();
  const made = [];
  device = { onResume: async (one) => { made.push(one); } };
  const taps = [broken.resume(), broken.resume()];
  await pass(1500);
  await Promise.all(taps);
  assert.equal(made.length, 1);
});
