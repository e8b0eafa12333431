// What the hall would have the table's people know: a game that it would have played here.

import { getJson } from './api.js';

const POLL_MS = 6000;

/** The table's hall as the API shows it; null where there is none. */
let link = null;

/** Return the game that the hall would have played here, with that game's title; null for none. @returns {any} */
export const invitation = () => (link?.invitation ? { ...link.invitation, game_title: link.game_title } : null);

/** Return true if phones can join in at this table. @returns {boolean} */
export const isOfHall = () => Boolean(link?.joined);

/** Ask again and again, and call `onChange` when the answer is another one. @param {() => void} onChange @returns {Promise<void>} */
export async function followHall(onChange) {
  const ask = async () => {
    if (document.hidden) return;
    const answer = await getJson('/api/hall-link').catch(() => link);
    if (JSON.stringify(answer) === JSON.stringify(link)) return;
    link = answer;
    onChange();
  };
  await ask();
  setInterval(ask, POLL_MS);
}
