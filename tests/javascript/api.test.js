import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createServer } from 'node:http';

import { AnswerOrder, ApiError, capturedUrl, dieSetApi, dieSetPage, getJson, pictureUrl, postForFile, postJson } from '../../web/static/api.js';

/** Return a promise that is resolved later. */
function later() {
  let resolve = (/** @type {any} */ _answer) => {};
  const promise = new Promise((act) => (resolve = act));
  return { promise, resolve };
}

test('an answer is not shown after that of a later request', async () => {
  const order = new AnswerOrder();
  const [slow, quick] = [later(), later()];
  const looks = [order.look(slow.promise), order.look(quick.promise)];
  quick.resolve('new');
  assert.equal(await looks[1], 'new');
  slow.resolve('old');
  assert.equal(await looks[0], undefined);
});

test('answers that come in order are all shown', async () => {
  const order = new AnswerOrder();
  const [first, second] = [later(), later()];
  const looks = [order.look(first.promise), order.look(second.promise)];
  first.resolve('old');
  assert.equal(await looks[0], 'old');
  second.resolve(null);
  assert.equal(await looks[1], null);
});

test('what was asked for before a change is older than its answer, and what is asked for after it is newer', async () => {
  const order = new AnswerOrder();
  const [before, meanwhile, change] = [later(), later(), later()];
  const first = order.look(before.promise);
  const changed = order.change(change.promise);
  const second = order.look(meanwhile.promise);
  change.resolve('changed');
  assert.equal(await changed, 'changed');
  before.resolve('old');
  meanwhile.resolve('old');
  assert.deepEqual([await first, await second], [undefined, undefined]);
  assert.equal(await order.look(Promise.resolve('new')), 'new');
});

const received = [];
const ANSWERS = {
  '/ok': [200, '{"number": 3}'],
  '/null': [200, 'null'],
  '/refused': [409, '{"error": "That is taken.", "rule": "I.2-1"}'],
  '/under-way': [503, '{"error": "Ask again.", "rule": ""}', { 'Retry-After': '1' }],
  '/full': [503, '{"error": "The disk is full.", "rule": ""}'],
  '/wait': [429, '{"error": "Too soon.", "rule": ""}', { 'Retry-After': '30' }],
  '/broken': [500, '<h1>Oops</h1>'],
  '/garbled': [200, '{"number": '],
};
let server;
let base;

before(async () => {
  server = createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      received.push({ method: request.method, headers: request.headers, body: Buffer.concat(parts).toString() });
      if (request.url === '/silent') return;
      const [status, body, headers] = ANSWERS[request.url];
      response.writeHead(status, headers).end(body);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${server.address().port}`;
});

after(() => {
  server.closeAllConnections();
  server.close();
});

const isError = (sentence) => (error) => error instanceof ApiError && error.message === sentence;

test('a refusal that would be the same again is told from what passes', async () => {
  const isFinal = (path) => getJson(`${base}${path}`).catch((error) => error.isFinal);
  assert.deepEqual(await Promise.all(['/refused', '/full', '/wait', '/broken'].map(isFinal)), [true, false, false, false]);
});

test('an answer is read as JSON', async () => {
  assert.deepEqual(await getJson(`${base}/ok`), { number: 3 });
});

test('a post bears the mark of the tablet and its body as JSON', async () => {
  await postJson(`${base}/ok`, { die: 2 });
  const { method, headers, body } = received.at(-1);
  assert.equal(method, 'POST');
  assert.equal(headers['x-vander'], 'tablet');
  assert.equal(headers['content-type'], 'application/json');
  assert.deepEqual(JSON.parse(body), { die: 2 });
});

test('a refusal is an error with its sentence', async () => {
  await assert.rejects(postJson(`${base}/refused`), isError('That is taken.'));
});

test('an answer that is under way is told from what has to be waited for and from what failed', async () => {
  const isUnderWay = async (path) => (await getJson(base + path).catch((error) => error)).isUnderWay;
  assert.equal(await isUnderWay('/under-way'), true);
  for (const path of ['/full', '/wait', '/refused', '/broken']) assert.equal(await isUnderWay(path), false);
});

test('what is no JSON, and what is null, is an error without a sentence', async () => {
  for (const path of ['/broken', '/garbled', '/null']) await assert.rejects(getJson(base + path), isError(''));
});

test('a server that is silent or away is an error without a sentence', async () => {
  await assert.rejects(getJson(`${base}/silent`, 50), isError(''));
  await assert.rejects(getJson('http://127.0.0.1:1/'), isError(''));
});

test('a file is read as it is, and its refusal as a sentence', async () => {
  assert.equal(await (await postForFile(`${base}/ok`, {}, 1000)).text(), '{"number": 3}');
  await assert.rejects(postForFile(`${base}/refused`, {}, 1000), isError('That is taken.'));
});

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
