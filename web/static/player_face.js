// The drawn picture of a remembered player in the player's colour; a forgotten player has a plain disc.

import { html } from './html.js';

/** Draw a player's picture; it says nothing to screen readers, since the name stands next to it. @param {{player: {colour: string, picture: string} | undefined}} properties @returns {any} */
export const PlayerFace = ({ player }) => html`<span class="player-face" data-colour=${player?.colour ?? ''}>${player && html`<img src=${`/static/players/${player.picture}.svg`} alt="" width="64" height="64" />`}</span>`;
