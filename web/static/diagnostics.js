// The doctor's page: its findings and the support bundle.

import { getJson, postForFile, postJson } from './api.js';
import { confirmDialog } from './dialog.js';
import { byId, errorSentence, h, orShowError, redraw, saveFile, toast, toastError } from './dom.js';
import { summarize } from './report_view.js';
import { say, sayCount } from './say.js';

const EXAMINATION_MS = 60000; // it looks, measures files and reads the journal while the box plays
const BUNDLE_MS = 120000; // a bundle has an examination in it
const BUNDLE_NAME = 'vander-support.zip';
const VERDICTS = { good: say('Well'), unsure: say('Check this'), bad: say('Not well') };

let isExamining = false;

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

function drawFinding({ name, title, verdict, told, advice, measured, acceptable }) {
  return h('article', { class: 'finding', 'data-name': name, 'data-verdict': verdict },
    h('h2', {}, title, h('em', {}, VERDICTS[verdict])),
    h('p', {}, told),
    advice && h('p', { class: 'advice' }, advice),
    measured && h('p', { class: 'note' }, measured),
    acceptable && h('button', { type: 'button', id: 'accept', 'data-key': 'accept', onclick: confirmLoss }, say('Accept the loss')));
}

const confirmLoss = () =>
  confirmDialog(say('Go on without these games?'), say('Their numbers are not given again. If a backup holds them, restore it instead.'), say('Accept the loss'), acceptLoss);

async function acceptLoss() {
  const answer = await orShowError(postJson('/api/doctor/accept', {}, EXAMINATION_MS), (error) => toastError(error, 'box'));
  if (answer) showFindings(answer.findings);
}

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
  saveFile(file, BUNDLE_NAME);
  toast(say('The file {name} is packed. Look through it before you send it.', { name: BUNDLE_NAME }));
}

byId('with-pictures').addEventListener('click', ({ currentTarget }) =>
  currentTarget.setAttribute('aria-checked', String(currentTarget.getAttribute('aria-checked') !== 'true')));
byId('make-bundle').addEventListener('click', makeBundle);
examine();
