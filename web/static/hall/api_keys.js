// The keeper's page of the keys by which the club's own programs read: make one, copy it once, take it back.

import { AnswerOrder, getJson, postJson } from '../api.js';
import { FailedRequest, askFor } from '../components.js';
import { confirmDialog } from '../dialog.js';
import { byId, copyField, orShowError, toast } from '../dom.js';
import { dateTime } from '../format.js';
import { html, render } from '../html.js';
import { say } from '../say.js';

const LONGEST_NAME = 24;
const order = new AnswerOrder();
let keys = null;
let failure = null;

/** The key that was just made, which the hall tells this once; null for none. @type {{name: string, secret: string} | null} */
let made = null;

const NewKey = () => html`<form class="new-key" onSubmit=${make}><input name="name" maxlength=${LONGEST_NAME} required autocomplete="off" aria-label=${say('What the program is called')} placeholder=${say('What the program is called')} /><button class="main">${say('Make a key')}</button></form>`;

const MadeKey = () => made && html`<section class="key-shown" role="status"><p>${say('This is the key of {name}. It is shown this once: copy it into the program now.', { name: made.name })}</p>
  <div><input id="secret" readonly value=${made.secret} aria-label=${say('The key')} /><button type="button" class="main" id="copy-key" onClick=${copy}>${say('Copy')}</button></div></section>`;

function Key({ one }) {
  const facts = [say('made {time}', { time: dateTime(one.made_at) }), one.used_at ? say('last used {time}', { time: dateTime(one.used_at) }) : say('never used')];
  return html`<li data-number=${one.number}><div><h2>${one.name}</h2><p class="note">${facts.join(' · ')}</p></div>
    <button type="button" class="grave" onClick=${() => withdraw(one)}>${say('Withdraw')}</button></li>`;
}

const Page = () => html`
  <div class="manage-head"><h1>${say('Keys for programs')}</h1><p><a class="button quiet" href="/manage">${say('Tables of the hall')}</a></p></div>
  <p class="note">${say('With a key, a program of the club reads the season: standings, players and all games. It changes nothing.')}</p>
  ${failure && html`<${FailedRequest} error=${failure} again=${refresh} />`}
  <${NewKey} /><${MadeKey} />
  ${keys && (keys.length ? html`<ul class="managed">${keys.map((one) => html`<${Key} key=${one.number} one=${one} />`)}</ul>` : html`<p class="note">${say('No program has a key.')}</p>`)}`;

function show() {
  byId('api-keys').classList.remove('waiting');
  render(html`<${Page} />`, byId('api-keys'));
}

function copy() {
  toast(copyField(byId('secret')) ? say('The key is copied.') : say('Copy the marked key yourself.'));
}

async function make(event) {
  event.preventDefault();
  const field = event.target.elements.namedItem('name');
  const name = field.value.trim();
  const answer = name && await order.change(orShowError(postJson('/api/hall/keys/make', { name })));
  if (!answer) return;
  made = { name, secret: answer.secret };
  keys = answer.keys;
  field.value = '';
  show();
  byId('copy-key').focus();
}

function withdraw(one) {
  confirmDialog(say('Withdraw the key of {name}?', { name: one.name }), say('The program reads nothing from then on.'), say('Withdraw'), async () => {
    const answer = await order.change(orShowError(postJson('/api/hall/keys/drop', { number: one.number })));
    if (!answer) return;
    keys = answer.keys;
    if (made?.name === one.name) made = null;
    show();
  });
}

async function refresh() {
  const asked = await order.look(askFor(getJson('/api/hall/keys')));
  if (!asked) return;
  failure = asked.error;
  keys = asked.answers[0]?.keys ?? keys;
  show();
}

await refresh();
