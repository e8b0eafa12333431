// The signs of what is wrong with a table.

import { html } from '../html.js';
import { troubleWords } from './tables_view.js';

const PATHS = {
  quarantined: 'M12 3 2 21h20zM12 9v6M12 17.6v1',
  refused: 'M12 3 2 21h20zM12 9v6M12 17.6v1',
  silent: 'M2 9a15 15 0 0 1 20 0M5.5 13a10 10 0 0 1 13 0M9 17a5 5 0 0 1 6 0M3 3l18 18',
  clock: 'M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M12 7v5.5l3.5 2',
};

/** Draw what is wrong with a table. @param {{troubles: string[]}} props @returns {any} */
export const TroubleSigns = ({ troubles }) => troubles.map((trouble) => html`<span key=${trouble} class=${`sign ${trouble}`} role="img" title=${troubleWords(trouble)} aria-label=${troubleWords(trouble)}>
  <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${PATHS[trouble] ?? PATHS.refused} fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round" /></svg></span>`);
