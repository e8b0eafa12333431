// HTTP requests to the table's API, where every failure becomes an ApiError, and which of their answers to show; and the
// addresses of pictures and pages.

/** The name of their game. */
export const PLAIN_DICE = 'dice';

/** The order in which something was asked for that is shown in one place. */
export class AnswerOrder {
  #asked = 0;
  #shown = 0;

  /** Resolve to the answer, or to undefined where the answer of a later request was given before it. @template Answer @param {Promise<Answer>} request @returns {Promise<Answer | undefined>} */
  async look(request) {
    const turn = (this.#asked += 1);
    const answer = await request;
    if (turn < this.#shown) return undefined;
    this.#shown = turn;
    return answer;
  }

  /** Resolve to the answer of a request that changes what is shown: what was asked for before this answer is older. @template Answer @param {Promise<Answer>} request @returns {Promise<Answer>} */
  async change(request) {
    const answer = await request;
    this.#shown = this.#asked += 1;
    return answer;
  }
}

const TIMEOUT_MS = 8000;
const NOT_FOUND = 404;
const UNAVAILABLE = 503;
const FINAL = new Set([400, NOT_FOUND, 409, 410]);

/**
 * A request that failed. `message` is the server's refusal, '' where nothing answered.
 * `isUnderWay` where the server works on the answer, and has it when it is asked again in a moment; `isFinal` where
 * asking again gives the same answer.
 */
export class ApiError extends Error {
  /** @param {string} sentence @param {boolean} isUnderWay @param {boolean} isFinal */
  constructor(sentence = '', isUnderWay = false, isFinal = false) {
    super(sentence);
    this.isUnderWay = isUnderWay;
    this.isFinal = isFinal;
  }
}

/** GET JSON. @param {string} url @param {number} timeoutMs @returns {Promise<any>} */
export const getJson = (url, timeoutMs = TIMEOUT_MS) => request(url, { cache: 'no-store' }, timeoutMs, readJson);

/** GET the bytes of a file. @param {string} url @param {number} timeoutMs @returns {Promise<ArrayBuffer>} */
export const getBytes = (url, timeoutMs = TIMEOUT_MS) => request(url, {}, timeoutMs, (response) => response.arrayBuffer());

/** GET a picture as it is now. @param {string} url @returns {Promise<Blob>} */
export const getPicture = (url) => request(url, { cache: 'no-store' }, TIMEOUT_MS, (response) => response.blob());

/** GET the text of a file. @param {string} url @returns {Promise<string>} */
export const getText = (url) => request(url, {}, TIMEOUT_MS, (response) => response.text());

/** POST JSON and read JSON. @param {string} url @param {object} body @param {number} timeoutMs @returns {Promise<any>} */
export const postJson = (url, body = {}, timeoutMs = TIMEOUT_MS) => request(url, post(body), timeoutMs, readJson);

/** POST JSON and read a file. @param {string} url @param {object} body @param {number} timeoutMs @returns {Promise<Blob>} */
export const postForFile = (url, body, timeoutMs) => request(url, post(body), timeoutMs, (response) => response.blob());

/** POST a file of a media type and read JSON. @param {string} url @param {ArrayBuffer} file @param {string} type @param {number} timeoutMs @returns {Promise<any>} */
export const postFile = (url, file, type, timeoutMs) =>
  request(url, { method: 'POST', headers: { 'Content-Type': type, 'X-Vander': 'tablet' }, body: file }, timeoutMs, readJson);

/**
 * POST a picture and read JSON; resolves to the status too, since a picture that is refused is no failure: 0 where nothing answers.
 * @param {string} url @param {Blob} picture @param {number} timeoutMs @returns {Promise<{status: number, answer: any}>}
 */
export async function postPicture(url, picture, timeoutMs) {
  const headers = { 'Content-Type': 'image/jpeg', 'X-Vander': 'tablet' };
  const response = await fetch(url, { method: 'POST', headers, body: picture, signal: AbortSignal.timeout(timeoutMs) }).catch(() => null);
  return { status: response?.status ?? 0, answer: (await response?.json().catch(() => null)) ?? null };
}

/** Return false if the table answers that it has no such file; true also where nothing answers. @param {string} url @returns {Promise<boolean>} */
export async function isServed(url) {
  const response = await fetch(url, { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => null);
  return response?.status !== NOT_FOUND;
}

/** Mirror the camera's picture the other way round. @returns {Promise<any>} the cameras */
export async function mirrorBack() {
  const { mirrored } = await getJson('/api/cameras');
  return postJson('/api/cameras/adjust', { mirrored: !mirrored });
}

const post = (body) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', 'X-Vander': 'tablet' },
  body: JSON.stringify(body),
});

async function request(url, options, timeoutMs, read) {
  const response = await fetch(url, { ...options, signal: AbortSignal.timeout(timeoutMs) }).catch(() => null);
  if (!response) throw new ApiError();
  if (!response.ok) throw await refusal(response);
  try {
    return await read(response);
  } catch {
    throw new ApiError();
  }
}

async function readJson(response) {
  const body = await response.json();
  if (body === null) throw new ApiError();
  return body;
}

async function refusal(response) {
  const body = await response.json().catch(() => null);
  const isUnderWay = response.status === UNAVAILABLE && response.headers.has('Retry-After');
  return new ApiError(body?.error, isUnderWay, FINAL.has(response.status));
}

/* Addresses */

/** Return the address of a picture that a snapshot names. @param {string} name @returns {string} */
export const pictureUrl = (name) => `/pictures/${encodeURIComponent(name)}.jpg`;

/** Return the address of what a face looks like on the table's own dice. @param {string} dieSet @param {string} kind @param {string} face @returns {string} */
export const faceUrl = (dieSet, kind, face) => `/faces/${[dieSet, kind, face].map(encodeURIComponent).join('/')}.jpg`;

/** Return the address of a captured picture. @param {string} name @returns {string} */
export const capturedUrl = (name) => `/captured/${encodeURIComponent(name)}.jpg`;

/** Return the address of a picture of a die of play. @param {string} name @param {string} die @returns {string} */
export const playedUrl = (name, die) => `/played/${encodeURIComponent(name)}/${encodeURIComponent(die)}.jpg`;

/** Return the address of a page of one die set. @param {string} name @param {'' | 'capture' | 'pictures'} page @param {Record<string, string>} query @returns {string} */
export function dieSetPage(name, page = '', query = {}) {
  const words = new URLSearchParams(query).toString();
  return `/dice/${encodeURIComponent(name)}${page && `/${page}`}${words && `?${words}`}`;
}

/** Return the address of a die set's API endpoint; '' is the die set itself. @param {string} name @param {string} endpoint @returns {string} */
export const dieSetApi = (name, endpoint = '') => `/api/teaching/dice/${encodeURIComponent(name)}${endpoint && `/${endpoint}`}`;
