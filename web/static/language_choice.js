// The languages that a page offers: a tap keeps the choice in a cookie, which the server reads, and loads the page again.

import { language } from './say.js';

const A_YEAR_S = 365 * 24 * 3600;

/** Let the language buttons of a page change the language. @returns {void} */
export function prepareLanguages() {
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-language]'))) {
    button.addEventListener('click', () => choose(button.dataset.language ?? language));
  }
}

function choose(wanted) {
  document.cookie = `language=${wanted}; path=/; max-age=${A_YEAR_S}; samesite=strict`;
  if (wanted !== language) location.reload();
}
