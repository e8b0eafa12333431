// Is all well? What the doctor finds, the lens as it is turned, and the pack for whoever helps.

import { read } from './api.js';
import { byId, h, redraw, s, toast } from './dom.js';
import { inView, pause, watch } from './live_view.js';

const FOCUS_MS = 500;
const LOOK_PATIENCE_MS = 60000; // an examination looks, measures files and reads the journal while the box plays
const PACK_PATIENCE_MS = 120000; // a pack has an examination in it
const WORDS = { good: 'Well', unsure: 'Look to it', bad: 'Not well' };
const ORDER = ['bad', 'unsure', 'good'];

let best = 0;
let looking = false;

async function look() {
  if (looking) return;
  looking = true;
  sum('Looking …', 'looking');
  try {
    show((await read('/api/doctor', LOOK_PATIENCE_MS)).findings);
  } catch (error) {
    sum(error.sentence ?? 'The box did not answer. Try again in a moment.', 'bad');
  }
  looking = false;
  byId('again')?.removeAttribute('disabled');
}

function show(findings) {
  const by = (verdict) => findings.filter((found) => found.verdict === verdict);
  const worst = ORDER.find((verdict) => by(verdict).length) ?? 'good';
  sum(saying(by('bad').length, by('unsure').length), worst);
  redraw(byId('findings'), findings, () => [
    [...by('bad'), ...by('unsure')].map(drawFinding),
    by('good').length > 0 && h('details', { class: 'well', open: worst === 'good' },
      h('summary', {}, `${by('good').length} ${by('good').length === 1 ? 'thing is' : 'things are'} well`),
      by('good').map(drawFinding)),
  ]);
}

function saying(bad, unsure) {
  const things = (count) => `${count} ${count === 1 ? 'thing' : 'things'}`;
  if (bad) return `${things(bad)} must be mended${unsure ? `, ${things(unsure)} could be better` : ''}.`;
  return unsure ? `It goes; ${things(unsure)} could be better.` : 'All is well.';
}

function sum(sentence, verdict) {
  byId('sum').dataset.verdict = verdict;
  redraw(byId('sum'), [sentence, verdict], () => [
    h('h1', {}, sentence),
    h('button', { type: 'button', id: 'again', 'data-key': 'again', disabled: verdict === 'looking', onclick: look }, 'Look again'),
  ]);
}

function drawFinding({ name, title, verdict, told, advice }) {
  return h('article', { class: 'finding', 'data-name': name, 'data-verdict': verdict },
    h('h2', {}, title, h('em', {}, WORDS[verdict])),
    h('p', {}, told),
    advice && h('p', { class: 'advice' }, advice));
}

/** The lens: the picture, the markers' outlines on it, and the meter. */
async function followFocus() {
  for (;;) {
    await inView();
    const seen = await read('/api/doctor/focus').catch(() => null);
    if (seen) showFocus(seen);
    await pause(FOCUS_MS);
  }
}

function showFocus({ verdict, told, share, markers }) {
  best = Math.max(best, share);
  byId('focus').dataset.verdict = verdict;
  if (byId('focus-told').textContent !== told) byId('focus-told').textContent = told;
  byId('gauge').setAttribute('aria-valuenow', String(Math.round(100 * share)));
  byId('filled').style.width = `${100 * share}%`;
  byId('best').hidden = best <= 0;
  byId('best').style.left = `${100 * best}%`;
  redraw(byId('outlines'), markers, () => markers.map((marker) => s('polygon', { points: marker.corners.map((corner) => corner.join(',')).join(' '), 'data-verdict': marker.verdict })));
}

function see(frame) {
  byId('no-view').hidden = Boolean(frame);
  byId('picture').classList.toggle('dark', !frame);
  if (frame) byId('picture').style.aspectRatio = `${frame.naturalWidth} / ${frame.naturalHeight}`;
}

/** Have the file packed, and give it to whoever sits here. */
async function pack() {
  const button = byId('make-pack');
  button.disabled = true;
  button.textContent = 'Packing …';
  try {
    save(await packed(byId('with-pictures').getAttribute('aria-checked') === 'true'));
  } catch (error) {
    toast(error.sentence ?? 'The box did not answer. Try again in a moment.');
  }
  button.disabled = false;
  button.textContent = 'Pack the file';
}

async function packed(pictures) {
  const answer = await fetch('/api/doctor/pack', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Vander': 'tablet' },
    body: JSON.stringify({ pictures }),
    signal: AbortSignal.timeout(PACK_PATIENCE_MS),
  });
  if (answer.ok) return answer.blob();
  throw Object.assign(new Error('refused'), { sentence: (await answer.json().catch(() => null))?.error });
}

function save(contents) {
  const address = URL.createObjectURL(contents);
  const link = h('a', { href: address, download: 'vander-support.zip' });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
  toast('The file vander-support.zip is packed. Look through it before you send it.');
}

byId('with-pictures').addEventListener('click', ({ currentTarget }) =>
  currentTarget.setAttribute('aria-checked', String(currentTarget.getAttribute('aria-checked') !== 'true')));
byId('make-pack').addEventListener('click', pack);
look();
watch(byId('view'), see, () => false);
followFocus();
