// HTTP requests to the table's API. Every failure becomes an ApiError.

const TIMEOUT_MS = 8000;

/** A request that failed. `message` and `rule` are the server's refusal; both are '' where nothing answered. */
export class ApiError extends Error {
  /** @param {string} sentence @param {string} rule */
  constructor(sentence = '', rule = '') {
    super(sentence);
    this.rule = rule;
  }
}

/** GET JSON. @param {string} url @param {number} timeoutMs @returns {Promise<any>} */
export const getJson = (url, timeoutMs = TIMEOUT_MS) => request(url, { cache: 'no-store' }, timeoutMs, readJson);

/** POST JSON and read JSON. @param {string} url @param {object} body @param {number} timeoutMs @returns {Promise<any>} */
export const postJson = (url, body = {}, timeoutMs = TIMEOUT_MS) => request(url, post(body), timeoutMs, readJson);

/** POST JSON and read a file. @param {string} url @param {object} body @param {number} timeoutMs @returns {Promise<Blob>} */
export const postForFile = (url, body, timeoutMs) => request(url, post(body), timeoutMs, (response) => response.blob());

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
  return new ApiError(body?.error, body?.rule);
}
