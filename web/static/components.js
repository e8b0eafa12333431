// What several pages draw by components: a request that failed, with a button that asks again, and a remembered player's picture.

import { errorSentence } from './dom.js';
import { html } from './html.js';
import { say } from './say.js';

/** The sentence of a failed request; the button is left out where the answer would be the same again. */
export const FailedRequest = ({ error, again }) => html`<div class="failed-request" role="alert"><p>${errorSentence(error)}</p>
  ${!error.isFinal && html`<button type="button" id="try-again" onClick=${again}>${say('Try again')}</button>`}
</div>`;

/** Ask for several things at once. Resolves to the answers, null for each that failed, and to the first error, null without one. @param {...(Promise<any> | null)} requests @returns {Promise<{answers: any[], error: Error | null}>} */
export async function askFor(...requests) {
  const results = await Promise.allSettled(requests);
  const answers = results.map((result) => (result.status === 'fulfilled' ? result.value : null));
  const failed = results.find(({ status }) => status === 'rejected');
  return { answers, error: /** @type {PromiseRejectedResult | undefined} */ (failed)?.reason ?? null };
}

/** Draw a player's picture; it says nothing to screen readers, since the name stands next to it. @param {{player: {colour: string, picture: string} | undefined}} properties @returns {any} */
export const PlayerFace = ({ player }) => html`<span class="player-face" data-colour=${player?.colour ?? ''}>${player && html`<img src=${`/static/players/${player.picture}.svg`} alt="" width="64" height="64" />`}</span>`;
