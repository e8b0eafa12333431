// The page of the dice test: for each kind of dice how often each face was read, against what a fair die is read as here.

import { getJson } from './api.js';
import { FailedRequest, askFor } from './components.js';
import { byId } from './dom.js';
import { html, render } from './html.js';
import { bars, behind, count, enough, verdict } from './past_games_view.js';
import { say, sayCount, sayParts } from './say.js';

const COUNT_AGAIN_MS = 3000;
const BAR = 64;
const HEIGHT = 180;
const FOOT = 28;
const element = byId('dice-test');

let overview = { die_sets: [], checked: 0, wrong: 0, uncounted: 0 };
let chosen = '';
let found = null;
let failure = null;
let timer;

function Plot({ kind }) {
  const faces = bars(kind.faces);
  const y = (part) => HEIGHT - part * (HEIGHT - 16);
  return html`<svg class="plot" viewBox=${`0 0 ${BAR * faces.length} ${HEIGHT + FOOT}`} role="group" aria-label=${say('How often each face of {kind} was read; the numbers stand in the table', { kind: kind.title })}>
    ${faces.map(({ face, title, read, bar, mark, from, to, isOutside }, place) => html`<a key=${face} href=${behind(chosen, kind.kind, face)} transform=${`translate(${place * BAR} 0)`} class=${isOutside ? 'outside' : ''}>
      <rect class="touch" x="0" y="0" width=${BAR} height=${HEIGHT + FOOT} />
      <rect class="band" x="4" width=${BAR - 8} y=${y(to)} height=${Math.max(1, y(from) - y(to))} rx="4" />
      <rect class="bar" x="14" width=${BAR - 28} y=${y(bar)} height=${HEIGHT - y(bar)} />
      <line class="mark" x1="4" x2=${BAR - 4} y1=${y(mark)} y2=${y(mark)} />
      <text x=${BAR / 2} y=${y(bar) - 4} class="read">${count(read)}</text>
      <text x=${BAR / 2} y=${HEIGHT + FOOT - 8} class="face">${title}</text>
    </a>`)}
    <line class="ground" x1="0" x2=${BAR * faces.length} y1=${HEIGHT} y2=${HEIGHT} />
  </svg>`;
}

const Numbers = ({ kind }) => html`<details class="numbers"><summary>${say('The numbers')}</summary><div class="scrolled" tabindex="0" role="region" aria-label=${say('The numbers')}><table>
  <thead><tr><th scope="col">${say('Face')}</th><th scope="col">${say('Read')}</th><th scope="col">${say('Expected')}</th><th scope="col">${say('95 of 100 fair dice')}</th></tr></thead>
  <tbody>${kind.faces.map(({ face, title, read, expected, low, high }) => html`<tr key=${face}><th scope="row">${title}</th><td><a href=${behind(chosen, kind.kind, face)}>${count(read)}</a></td><td>${count(expected)}</td><td>${say('{low} to {high}', { low: count(low), high: count(high) })}</td></tr>`)}</tbody>
</table></div></details>`;

const Kind = ({ kind }) => html`<section class=${kind.is_suspicious && overview.checked ? 'fair-kind suspicious' : 'fair-kind'} data-kind=${kind.kind}>
  <h2>${kind.title}</h2><p class="verdict">${verdict(kind, overview.checked)}</p>
  <${Plot} kind=${kind} /><p class="enough">${enough(kind)}</p><a class="behind" href=${behind(chosen)}>${say('The games with these dice')}</a><${Numbers} kind=${kind} />
</section>`;

const Choice = () => html`<label class="against" for="by-set">${say('Dice')}<select id="by-set" value=${chosen} onChange=${({ target }) => choose(target.value)}>
  ${overview.die_sets.map(({ name, title }) => html`<option key=${name} value=${name}>${title}</option>`)}
</select></label>`;

const Method = () => html`<section class="method"><h2>${say('How it is tested')}</h2>
  <p>${say('A bar is how often a face was read; the line is a fair die’s average. The pale field holds all faces of a fair die in 95 of 100 cases.')}</p>
  <p class="sums-checked">${overview.checked
    ? sayParts('The camera misreads a die now and then, so that even a fair one looks uneven. People checked {checked} dice that were chosen at random, and {wrong} were read wrong: that is folded in.', {
      checked: html`<a class="behind" href="/fairness/checked">${count(overview.checked)}</a>`,
      wrong: overview.wrong ? html`<a class="behind" href="/fairness/checked?wrong=1">${count(overview.wrong)}</a>` : count(0),
    })
    : say('The camera misreads a die now and then, so that even a fair one looks uneven. Answer “Is this right?” at the table, and it is folded in.')}</p>
  <p>${say('Of 100 tests of fair dice 5 raise a false alarm. All dice of a kind are tested together, by the throws that the camera read in games that have ended.')}</p>
</section>`;

const Page = () => html`${failure && html`<${FailedRequest} error=${failure} again=${start} />`}
  <p class="uncounted" role="status">${overview.uncounted > 0 && sayCount('{count} game is still being counted.', '{count} games are still being counted.', overview.uncounted)}</p>
  ${overview.die_sets.length
    ? html`<${Choice} /><div class="fair-kinds">${(found?.kinds ?? []).map((kind) => html`<${Kind} key=${kind.kind} kind=${kind} />`)}</div><${Method} />`
    : !failure && html`<p class="none">${say('No throw was read in a game that has ended yet.')}</p>`}`;

const show = () => render(html`<${Page} />`, element);

async function choose(name) {
  chosen = name;
  history.replaceState(null, '', `?${new URLSearchParams({ dice: name })}`);
  const { answers: [answer], error } = await askFor(getJson(`/api/fairness/${encodeURIComponent(name)}`));
  if (chosen !== name) return;
  [found, failure] = [answer, error];
  show();
}

async function start() {
  const { answers: [answer], error } = await askFor(getJson('/api/fairness'));
  failure = error;
  overview = answer ?? overview;
  element.classList.remove('waiting');
  show();
  const wanted = chosen || new URLSearchParams(location.search).get('dice');
  const one = overview.die_sets.find(({ name }) => name === wanted) ?? overview.die_sets[0];
  if (one) await choose(one.name);
  clearTimeout(timer);
  if (overview.uncounted) timer = setTimeout(start, COUNT_AGAIN_MS);
}

void start();
