// The far view: scores and dice for a television or a tablet on the shelf, without buttons. It is kept until it is left.

import { byId } from './dom.js';
import { load, store } from './storage.js';

const KEY = 'vander.view';
const FAR = 'far';

let far = new URLSearchParams(location.search).get('view') === FAR || load('localStorage', KEY) === FAR;

/** Return true if the page is seen from far. @returns {boolean} */
export const isFar = () => far;

/** Show the near or the far view, and keep it. @param {boolean} on @returns {void} */
function setFar(on) {
  far = on;
  store('localStorage', KEY, on ? FAR : null);
  history.replaceState(null, '', on ? `?view=${FAR}` : location.pathname);
  apply();
}

function apply() {
  document.body.classList.toggle('far', far);
  byId('near').hidden = !far;
}

/** Let the buttons change the view; `changed` runs after that. @param {() => void} changed @returns {void} */
export function prepareFarView(changed) {
  const change = (on) => () => {
    setFar(on);
    changed();
  };
  byId('far').addEventListener('click', change(true));
  byId('near').addEventListener('click', change(false));
  if (far) store('localStorage', KEY, FAR);
  apply();
}
