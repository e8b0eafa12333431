// The keeper's page of the hall: its tables, the code that lets one join, and what to do where a table is in trouble.

import { AnswerOrder, getJson, postJson } from '../api.js';
import { FailedRequest, askFor } from '../components.js';
import { confirmDialog } from '../dialog.js';
import { faceIcon } from '../die_faces.js';
import { byId, orShowError } from '../dom.js';
import { dateTime } from '../format.js';
import { html, render } from '../html.js';
import { say, sayCount } from '../say.js';
import { clockWords } from './hall_parts.js';

const POLL_MS = 5000;
const order = new AnswerOrder();
let shown = null;
let failure = null;

const Die = ({ face }) => html`<span ref=${(element) => element?.replaceChildren(faceIcon(`pip-${face}`))} />`;

const Code = ({ code }) => (code.length
  ? html`<section class="code-shown"><p>${say('Choose “Join a hall” at the table and enter these dice:')}</p>
    <p class="code-dice" role="img" aria-label=${code.join(' ')}>${code.map((face, place) => html`<${Die} key=${`${place}-${face}`} face=${face} />`)}</p></section>`
  : null);

function ManagedTable({ table }) {
  const facts = [
    sayCount('{count} line taken', '{count} lines taken', table.taken),
    table.version && say('Vander {version}', { version: table.version }),
    table.seen_at ? say('last heard of {time}', { time: dateTime(table.seen_at) }) : say('never heard of'),
    clockWords(table.clock_off_s),
  ].filter(Boolean);
  return html`<li class=${table.standing} data-number=${table.number}>
    <div><h2><a href=${`/tables/${table.number}`}>${table.name}</a></h2><p class="note">${facts.join(' · ')}</p></div>
    <button type="button" class="grave" onClick=${() => remove(table)}>${say('Remove')}</button>
    ${table.standing === 'quarantined' && html`<p class="problem">${table.reason} ${say('Remove it here, show a code, and join again at the table.')}</p>`}
  </li>`;
}

const Page = () => html`
  <div class="manage-head"><h1>${say('Tables of the hall')}</h1><p><button type="button" class="main" id="show-code" onClick=${() => change('/api/hall/tables/code')}>${say('Let a table join')}</button> <a class="button quiet" href="/manage/keys">${say('Keys for programs')}</a> <a class="button quiet" href="/box">${say('Devices and settings')}</a></p></div>
  ${failure && html`<${FailedRequest} error=${failure} again=${refresh} />`}
  <${Code} code=${shown?.code ?? []} />
  ${shown && (shown.tables.length ? html`<ul class="managed">${shown.tables.map((table) => html`<${ManagedTable} key=${table.number} table=${table} />`)}</ul>` : html`<p class="note">${say('No table has joined the hall.')}</p>`)}`;

function show() {
  byId('manage').classList.remove('waiting');
  render(html`<${Page} />`, byId('manage'));
}

async function change(url, body = {}) {
  const answer = await order.change(orShowError(postJson(url, body)));
  if (!answer) return;
  shown = answer;
  show();
}

function remove(table) {
  confirmDialog(say('Remove {name} from the hall?', { name: table.name }), say('The hall keeps its games, and takes nothing of it any more.'), say('Remove'), () => change('/api/hall/tables/remove', { number: table.number }));
}

async function refresh() {
  const asked = await order.look(askFor(getJson('/api/hall/tables')));
  if (!asked) return;
  failure = asked.error;
  shown = asked.answers[0] ?? shown;
  show();
}

await refresh();
setInterval(() => document.hidden || refresh(), POLL_MS);
