// The dice as read: the photograph of each, its face, and the reader's confidence, by where they lie.

import { pictureUrl } from './api.js';
import { faceIcon } from './die_faces.js';
import { h } from './dom.js';
import { openCorrection } from './table_dialogs.js';
import { diceByZone, dieLabel, postureOf } from './table_view.js';

/** Draw the dice in groups; a tap on a die opens its correction, at the step of that moment. @param {{dice: any[], asked: number[]}} view @param {(snapshot: any) => void} onCorrected @param {() => string} currentStep @returns {any} */
export function drawDice({ dice, asked }, onCorrected, currentStep) {
  if (!dice.length) return h('p', { class: 'none' }, 'No dice in sight.');
  return diceByZone(dice).map(({ zone, title, dice: group }) =>
    h('div', { class: `zone ${zone}` },
      h('h2', {}, title, h('span', { class: 'count' }, String(group.length))),
      h('div', { class: 'dice' }, group.map((die) => drawDie(die, asked.includes(die.number), onCorrected, currentStep)))));
}

function drawDie(die, isAsked, onCorrected, currentStep) {
  const posture = postureOf(die);
  const isDoubtful = !posture && (!die.sure || isAsked);
  const mark = posture ? ' leaning' : isDoubtful ? ' doubtful' : '';
  return h('button', { type: 'button', class: `die${mark}`, 'data-key': `die-${die.number}`, 'data-die': die.number, 'aria-label': dieLabel(die, isDoubtful), disabled: !die.faces.length, onclick: () => openCorrection(die, onCorrected, currentStep()) },
    h('span', { class: 'photo' },
      die.crop ? h('img', { src: pictureUrl(die.crop), alt: '', loading: 'eager' }) : faceIcon(die.face),
      die.crop && faceIcon(die.face, 'badge'),
      isDoubtful && h('span', { class: 'question-mark', 'aria-hidden': 'true' }, '?')),
    h('span', { class: 'name' }, die.title || '–'),
    posture ? h('span', { class: 'posture' }, posture) : confidenceMeter(die.confidence));
}

function confidenceMeter(confidence) {
  const share = h('span', { class: 'share' });
  share.style.width = `${Math.round(confidence * 100)}%`;
  return h('span', { class: 'meter', 'aria-hidden': 'true' }, share);
}
