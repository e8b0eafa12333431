// What a page says where it asked for its contents and got none, with a button that asks again. It stays, as a toast does not.

import { html } from './html.js';
import { say } from './say.js';
import { errorSentence } from './toast.js';

/** The sentence of a failed request; the button is left out where the answer would be the same again. */
export const FailedRequest = ({ error, again }) => html`<div class="failed-request" role="alert"><p>${errorSentence(error)}</p>
  ${!error.isFinal && html`<button type="button" id="try-again" onClick=${again}>${say('Try again')}</button>`}
</div>`;

/**
 * Ask for several things at once. Resolves to the answers, null for each that failed, and to the first error, null without one.
 * @param {...(Promise<any> | null)} requests @returns {Promise<{answers: any[], error: Error | null}>}
 */
export async function askFor(...requests) {
  const results = await Promise.allSettled(requests);
  const answers = results.map((result) => (result.status === 'fulfilled' ? result.value : null));
  const failed = results.find(({ status }) => status === 'rejected');
  return { answers, error: /** @type {PromiseRejectedResult | undefined} */ (failed)?.reason ?? null };
}
