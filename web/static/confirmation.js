// The card of a change of the score that waits until another seat confirms it.

import { postJson } from './api.js';
import { byId, h, redraw } from './dom.js';
import { symbolIcon } from './interventions.js';
import { say } from './say.js';
import { orShowError } from './toast.js';
import { mayDecide } from './viewer.js';

/** Show the change that waits, or nothing. @param {any} change @param {(snapshot: any) => void} onAnswered @returns {void} */
export function showUnconfirmed(change, onAnswered) {
  redraw(byId('unconfirmed'), change && { ...change, decides: mayDecide() }, (view) => view && draw(view, onAnswered));
}

function draw({ number, sentence, device, decides }, onAnswered) {
  const send = async (agrees) => {
    const snapshot = await orShowError(postJson('/api/confirm', { number, agrees }));
    if (snapshot) onAnswered(snapshot);
  };
  return h('div', { class: 'check' },
    h('h2', {}, symbolIcon('pen'), say('{device} asks another seat', { device: device || say('A tablet') })),
    h('p', { class: 'change-asked' }, sentence),
    decides && h('div', { class: 'pair' },
      h('button', { type: 'button', id: 'decline', 'data-key': 'decline', onclick: () => send(false) }, say('No')),
      h('button', { type: 'button', class: 'strong', id: 'confirm', 'data-key': 'confirm', onclick: () => send(true) }, say('Yes, so it was'))));
}
