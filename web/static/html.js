// Components drawn by Preact with htm's templates: what is drawn again keeps its elements, so that focus, motion and a drag go on.

import htm from './vendor/htm.module.js';
import { Component, h, render } from './vendor/preact.module.js';

/** Return the tree of a template: html`<p class="x">${text}</p>`. Text never becomes markup. */
export const html = htm.bind(h);

export { Component, render };
