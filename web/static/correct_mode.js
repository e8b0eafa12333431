// "Wrong die?": while it is pressed, a tap on a die that is shown asks what it really shows, also where a tap else chooses it for a board.

import { byId } from './dom.js';
import { say } from './say.js';
import { newestSnapshot } from './snapshot_feed.js';
import { tableDialogs } from './table_parts.js';
import { mayDecide } from './viewer.js';

const OFF_WORD = say('Wrong die?');
const ON_WORD = say('Tap that die');

const button = byId('wrong-die');

const isOn = () => button.getAttribute('aria-pressed') === 'true';

function press(on) {
  button.setAttribute('aria-pressed', String(on));
  button.textContent = on ? ON_WORD : OFF_WORD;
  byId('dice').classList.toggle('to-correct', on);
}

/** Return the element of a shown die that an event is about, null for none, and while nothing is to be corrected. */
const shownDie = ({ target }) => (isOn() ? target.closest?.('#dice [data-die]:not(:disabled)') ?? null : null);

/** Let taps on dice correct them while the button is pressed. `onCorrected` gets the snapshot that follows. @param {(snapshot: any) => void} onCorrected @param {() => string} currentStep @returns {void} */
export function prepareCorrectMode(onCorrected, currentStep) {
  const table = byId('table');
  // Heard before the panel of dice, in which a tap selects and a movement drags.
  table.addEventListener('pointerdown', (event) => shownDie(event) && event.stopPropagation(), true);
  table.addEventListener('click', (event) => {
    const element = shownDie(event);
    const die = element && newestSnapshot().dice.find(({ number }) => number === Number(element.dataset.die));
    if (!die) return;
    event.stopPropagation();
    event.preventDefault();
    press(false);
    tableDialogs.use(({ openCorrection }) => openCorrection(die, onCorrected, currentStep()));
  }, true);
  button.addEventListener('click', ({ detail }) => {
    press(!isOn());
    if (isOn() && detail === 0) /** @type {HTMLElement | null} */ (byId('dice').querySelector('[data-die]:not(:disabled)'))?.focus(); // by key
  });
  table.addEventListener('keydown', (event) => event.key === 'Escape' && isOn() && (press(false), button.focus()));
}

/** Show the button while there are dice that may be corrected; without any the mode ends. @param {any} snapshot @returns {void} */
export function showCorrectMode({ state, dice }) {
  button.hidden = !mayDecide() || !state?.to_act.length;
  button.disabled = !dice.some(({ faces }) => faces.length);
  if (isOn() && (button.hidden || button.disabled)) press(false);
}
