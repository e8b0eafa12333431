// The doctor's page: its findings, the lens as it is turned, and the support bundle.

import { getJson, postForFile, postJson } from './api.js';
import { tapCorners } from './corners/tray_corners.js';
import { confirmDialog } from './dialog.js';
import { byId, h, redraw, svg } from './dom.js';
import { summarize } from './findings.js';
import { showLiveView, WHOLE } from './live_view.js';
import { say, sayCount } from './say.js';
import { sleep, untilVisible } from './timing.js';
import { errorSentence, orShowError, toast, toastError } from './toast.js';

const FOCUS_MS = 500;
const EXAMINATION_MS = 60000; // it looks, measures files and reads the journal while the box plays
const BUNDLE_MS = 120000; // a bundle has an examination in it
const KEEP_FILE_MS = 60000;
const BUNDLE_NAME = 'vander-support.zip';
const VERDICTS = { good: say('Well'), unsure: say('Check this'), bad: say('Not well') };

let isExamining = false;
let bestShare = 0;

/* Findings */

async function examine() {
  if (isExamining) return;
  isExamining = true;
  showSummary(say('Looking …'), 'examining');
  const answer = await orShowError(getJson('/api/doctor', EXAMINATION_MS), (error) => showSummary(errorSentence(error, 'box'), 'bad'));
  if (answer) showFindings(answer.findings);
  isExamining = false;
  byId('again')?.removeAttribute('disabled');
}

function showFindings(findings) {
  const { worst, summary, poor, good } = summarize(findings);
  showSummary(summary, worst);
  redraw(byId('findings'), findings, () => [
    poor.map(drawFinding),
    good.length > 0 && h('details', { class: 'well', open: worst === 'good' },
      h('summary', {}, sayCount('{count} thing is well', '{count} things are well', good.length)),
      good.map(drawFinding)),
  ]);
}

function showSummary(sentence, verdict) {
  byId('summary').dataset.verdict = verdict;
  redraw(byId('summary'), [sentence, verdict], () => [
    h('h1', {}, sentence),
    h('button', { type: 'button', id: 'again', 'data-key': 'again', disabled: verdict === 'examining', onclick: examine }, say('Look again')),
  ]);
}

function drawFinding({ name, title, verdict, told, advice, acceptable }) {
  return h('article', { class: 'finding', 'data-name': name, 'data-verdict': verdict },
    h('h2', {}, title, h('em', {}, VERDICTS[verdict])),
    h('p', {}, told),
    advice && h('p', { class: 'advice' }, advice),
    acceptable && h('button', { type: 'button', id: 'accept', 'data-key': 'accept', onclick: confirmLoss }, say('Accept the loss')));
}

const confirmLoss = () =>
  confirmDialog(say('Go on without these games?'), say('Their numbers are not given again. If a backup holds them, restore it instead.'), say('Accept the loss'), acceptLoss);

async function acceptLoss() {
  const answer = await orShowError(postJson('/api/doctor/accept', {}, EXAMINATION_MS), (error) => toastError(error, 'box'));
  if (answer) showFindings(answer.findings);
}

/* Focus */

async function followFocus() {
  for (;;) {
    await untilVisible();
    const focus = await getJson('/api/doctor/focus').catch(() => null);
    if (focus) showFocus(focus);
    await sleep(FOCUS_MS);
  }
}

function showFocus({ verdict, told, share, markers, tray }) {
  bestShare = Math.max(bestShare, share);
  byId('focus').dataset.verdict = verdict;
  if (byId('focus-note').textContent !== told) byId('focus-note').textContent = told;
  byId('gauge').setAttribute('aria-valuenow', String(Math.round(100 * share)));
  byId('filled').style.width = `${100 * share}%`;
  byId('best').hidden = bestShare <= 0;
  byId('best').style.left = `${100 * bestShare}%`;
  redraw(byId('outlines'), { markers, tray }, () => [tray.length > 0 && drawOutline(tray, { class: 'tray' }), ...markers.map(drawMarker)]);
}

const drawMarker = ({ corners, verdict }) => drawOutline(corners, { 'data-verdict': verdict });

const drawOutline = (corners, properties) => svg('polygon', { points: corners.map((corner) => corner.join(',')).join(' '), ...properties });

/* Support bundle */

async function makeBundle() {
  const button = byId('make-bundle');
  button.disabled = true;
  button.textContent = say('Packing …');
  const pictures = byId('with-pictures').getAttribute('aria-checked') === 'true';
  const file = await orShowError(postForFile('/api/doctor/pack', { pictures }, BUNDLE_MS), (error) => toastError(error, 'box'));
  if (file) save(file);
  button.disabled = false;
  button.textContent = say('Pack the file');
}

function save(file) {
  const url = URL.createObjectURL(file);
  h('a', { href: url, download: BUNDLE_NAME }).click();
  setTimeout(() => URL.revokeObjectURL(url), KEEP_FILE_MS);
  toast(say('The file {name} is packed. Look through it before you send it.', { name: BUNDLE_NAME }));
}

byId('with-pictures').addEventListener('click', ({ currentTarget }) =>
  currentTarget.setAttribute('aria-checked', String(currentTarget.getAttribute('aria-checked') !== 'true')));
byId('make-bundle').addEventListener('click', makeBundle);
byId('tap-corners')?.addEventListener('click', () => tapCorners(examine));
examine();
showLiveView({ canvas: byId('view'), box: byId('picture'), notice: byId('no-view'), url: WHOLE });
followFocus();
