// The dice as read: the photograph of each, what was read, and how sure the reader is, by where they lie.

import { h, picture } from './dom.js';
import { faceIcon } from './die_faces.js';
import { correct } from './table_dialogs.js';

const ZONES = [
  ['field', 'On the field'],
  ['signal', 'On the spot'],
  ['aside', 'In the bay'],
  ['out', 'Off the field'],
];
const POSTURES = { cocked: 'leaning', stacked: 'on another die' };

/** The groups of dice; a tap on a die opens its correction, for the step that is shown then. */
export function drawDice({ dice, asked }, answered, stepNow) {
  if (!dice.length) return h('p', { class: 'none' }, 'No dice in sight.');
  return ZONES.filter(([zone]) => dice.some((die) => die.zone === zone)).map(([zone, title]) => {
    const lying = dice.filter((die) => die.zone === zone);
    return h('div', { class: `zone ${zone}` },
      h('h2', {}, title, h('span', { class: 'count' }, String(lying.length))),
      h('div', { class: 'dice' }, lying.map((die) => drawDie(die, asked.includes(die.number), answered, stepNow))));
  });
}

function drawDie(die, asked, answered, stepNow) {
  const doubtful = !die.sure || asked;
  const posture = POSTURES[die.posture];
  const label = `${die.title || 'unread'}, ${doubtful ? 'not sure' : 'sure'}${posture ? `, ${posture}` : ''}. Tap to correct.`;
  return h('button', { type: 'button', class: doubtful ? 'die doubtful' : 'die', 'data-key': `die-${die.number}`, 'data-die': die.number, 'aria-label': label, disabled: !die.faces.length, onclick: () => correct(die, answered, stepNow()) },
    h('span', { class: 'shot' },
      die.crop ? h('img', { src: picture(die.crop), alt: '', loading: 'eager' }) : faceIcon(die.face),
      die.crop && faceIcon(die.face, 'badge'),
      doubtful && h('span', { class: 'query', 'aria-hidden': 'true' }, '?')),
    h('span', { class: 'name' }, die.title || '–'),
    posture ? h('span', { class: 'posture' }, posture) : meter(die.confidence));
}

function meter(confidence) {
  const share = h('span', { class: 'share' });
  share.style.width = `${Math.round(confidence * 100)}%`;
  return h('span', { class: 'meter', 'aria-hidden': 'true' }, share);
}
