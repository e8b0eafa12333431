// The addresses of pictures, pages and API endpoints.

/** Return the address of a picture that a snapshot names. @param {string} name @returns {string} */
export const pictureUrl = (name) => `/pictures/${encodeURIComponent(name)}.jpg`;

/** Return the address of a captured picture. @param {string} name @returns {string} */
export const capturedUrl = (name) => `/captured/${encodeURIComponent(name)}.jpg`;

/**
 * Return the address of a page of one die set. @param {string} name @param {'' | 'capture' | 'pictures'} page
 * @param {Record<string, string>} query @returns {string}
 */
export function dieSetPage(name, page = '', query = {}) {
  const words = new URLSearchParams(query).toString();
  return `/dice/${encodeURIComponent(name)}${page && `/${page}`}${words && `?${words}`}`;
}

/** Return the address of a die set's API endpoint; '' is the die set itself. @param {string} name @param {string} endpoint @returns {string} */
export const dieSetApi = (name, endpoint = '') => `/api/teaching/dice/${encodeURIComponent(name)}${endpoint && `/${endpoint}`}`;
