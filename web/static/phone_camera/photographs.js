// A photograph a throw, where the browser lends a page no live camera: taken with the phone's own camera app, made small and sent.

import { postPicture } from '../api.js';
import { tapCorners } from '../corners/tray_corners.js';
import { html } from '../html.js';
import { say } from '../say.js';
import { photographJpeg } from './picture_taking.js';

const ADDRESS = '/api/camera/photograph';
const TIMEOUT_MS = 30000;
const OK = 200;
const REFUSED = 400;

const told = { isSending: false, verdict: 'unsure', words: '', advice: '', offersCorners: false };

function tell(verdict, words, advice = '', offersCorners = false) {
  Object.assign(told, { isSending: false, verdict, words, advice, offersCorners });
}

async function send(file) {
  const jpeg = await photographJpeg(file);
  if (!jpeg) return tell('bad', say('This browser cannot open the photograph. Set the phone’s camera to JPEG, also called most compatible.'));
  const { status, answer } = await postPicture(ADDRESS, jpeg, TIMEOUT_MS);
  if (status !== OK) return tell('bad', answer?.error ?? say('The box does not answer. Take the photograph again.'), '', status === REFUSED);
  const [first] = answer.findings;
  const has = answer.is_tapped ? say('The box has it, by the tapped corners. The table’s page shows the dice.') : say('The box has it: {count} of 4 markers. The table’s page shows the dice.', { count: answer.markers.length });
  return tell('good', has, first ? first.advice || first.told : '', answer.is_tapped);
}

/** Take a photograph and send it; what becomes of it stands below. @param {{again: () => void}} props `again` draws the page anew */
export function Photographs({ again }) {
  const take = ({ currentTarget: field }) => {
    const [file] = field.files;
    field.value = ''; // the same file may be chosen again
    if (!file || told.isSending) return;
    Object.assign(told, { isSending: true, verdict: 'unsure', words: say('Sending …'), advice: '' });
    again();
    send(file).then(again);
  };
  const tapped = () => {
    tell('good', say('The box has it, by the tapped corners. The table’s page shows the dice.'), '', true);
    again();
  };
  return html`<section class="joining" id="photographs"><h2>${say('One photograph a throw')}</h2>
    <p>${say('When the dice lie still, photograph the whole tray from above, with its four markers. A tray without markers needs the phone in a stand.')}</p>
    <label class="button strong take"><input type="file" accept="image/jpeg,image/*" capture="environment" id="take" onChange=${take} disabled=${told.isSending} />${say('Photograph the throw')}</label>
    <p id="state" role="status" data-verdict=${told.verdict}>${told.words || say('No photograph yet.')}</p>
    ${told.advice && html`<p class="doing" id="to-do">${told.advice}</p>`}
    ${told.offersCorners && html`<button type="button" id="tap-corners" onClick=${() => tapCorners(tapped)}>${told.verdict === 'good' ? say('Check the corners') : say('My tray has no markers')}</button>`}
    <p class="note">${say('Nobody sees what happens between two photographs. So Vander asks who moved what.')}</p></section>`;
}
