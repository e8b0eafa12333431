// The page on which a family records its own voice for the caller, sentence by sentence.

import { getBytes, getJson, postFile, postJson } from '../api.js';
import { confirmDialog } from '../dialog.js';
import { byId, orShowError } from '../dom.js';
import { html, render } from '../html.js';
import { language as pageLanguage, say, sayCount } from '../say.js';
import { OwnMicrophone, canRecord, isBeginning, minutesFor, nextPlace, recordedKeys, wavFile } from './recording.js';

const RATE = 16000;
const KEEP_MS = 20000;
const LONGEST_NAME = 24;
/** How much louder than the microphone hears it the level is shown, and what a block adds to it. */
const SHOWN = 5;

const page = byId('caller-page');
const microphone = new OwnMicrophone();
/** Counts the requests for sentences: the answer of one that a later one has overtaken is ignored. */
let asks = 0;
/** @type {any} */
const shown = { caller: null, voice: '', language: '', sentences: [], place: 0, phase: 'idle', told: '' };

const ownVoice = () => shown.caller.voices.find(({ voice }) => voice === shown.voice);
const sentence = () => shown.sentences[shown.place];
const recorded = () => recordedKeys(ownVoice(), shown.language);
const recordingUrl = () => `/api/caller/voices/${shown.voice}/recording?${new URLSearchParams({ language: shown.language, key: sentence().key })}`;

/* What is seen */

const NotSecure = () => html`<section class="told" id="not-secure"><h2>${say('This address cannot hear you')}</h2>
  <p>${say('Browsers lend their microphone to secure addresses alone.')}</p>
  ${shown.caller.secure_url ? html`<div class="choices"><a class="button strong" href=${shown.caller.secure_url}>${say('Open the secure address')}</a> <a class="button" href="/https">${say('Why the browser warns')}</a></div>` : html`<p class="note">${say('Without one, turn https on: VANDER_HTTPS=true, or vander play --https.')}</p>`}</section>`;

function Progress({ voice, listed }) {
  const done = recordedKeys(voice, listed.language).size;
  return html`<span class="progress"><span>${say('{language}: {done} of {all}', { language: listed.title, done, all: listed.sentences })}</span>
    <progress value=${done} max=${listed.sentences} aria-label=${say('{language}: {done} of {all}', { language: listed.title, done, all: listed.sentences })}></progress></span>`;
}

const Voice = ({ voice }) => html`<li class="voice" data-voice=${voice.voice}>
  <h3>${voice.name}</h3>
  <div class="languages-done">${shown.caller.languages.map((listed) => html`<${Progress} key=${listed.language} voice=${voice} listed=${listed} />`)}</div>
  <div class="choices"><button type="button" class="main" onClick=${() => begin(voice.voice)}>${voice.recorded.length ? say('Go on') : say('Record')}</button>
    <button type="button" class="grave" onClick=${() => askToDelete(voice)}>${say('Delete')}</button></div></li>`;

const Voices = () => html`<section aria-labelledby="own-voices"><h2 id="own-voices">${say('Voices of your own')}</h2>
  <p>${say('Read aloud what the caller says. What you leave out, the voice that comes with Vander says. Nothing of it leaves your network.')}</p>
  ${shown.caller.voices.length > 0 && html`<ul class="voices">${shown.caller.voices.map((voice) => html`<${Voice} key=${voice.voice} voice=${voice} />`)}</ul>`}
  <form class="new-voice" onSubmit=${add}><label for="voice-name">${say('Whose voice is it?')}</label>
    <input id="voice-name" class="name" maxlength=${LONGEST_NAME} autocomplete="off" required /><button type="submit" class=${shown.caller.voices.length ? '' : 'main'}>${say('New voice')}</button></form></section>`;

const Languages = () => html`<label class="language-choice">${say('Language')} <select id="voice-language" value=${shown.language} disabled=${isBusy()} onChange=${({ target }) => chooseLanguage(target.value)}>
  ${shown.caller.languages.map(({ language, title }) => html`<option key=${language} value=${language}>${title}</option>`)}</select></label>`;

const WORDS = {
  idle: say('Tap “Record” and read it aloud.'),
  opening: say('One moment …'),
  listening: say('Speak now …'),
  keeping: say('One moment …'),
  kept: say('Kept.'),
};

const isBusy = () => ['opening', 'listening', 'keeping'].includes(shown.phase);

function Recorder() {
  const [done, has] = [recorded(), recorded().has(sentence().key)];
  const left = shown.sentences.length - done.size;
  return html`<section class="recorder" aria-labelledby="sentence">
    <div class="head"><button type="button" class="quiet" id="leave" onClick=${leave}>${say('Stop for now')}</button><${Languages} /></div>
    <progress value=${done.size} max=${shown.sentences.length} aria-label=${say('Recorded')}></progress>
    <p id="left" role="status">${left ? sayCount('{count} sentence left, about {minutes} min', '{count} sentences left, about {minutes} min', left, { minutes: minutesFor(left) }) : say('All is recorded. Choose this voice in the caller’s settings at the table.')}</p>
    <blockquote id="sentence" lang=${shown.language}>${sentence().text}</blockquote>
    ${isBeginning(sentence()) && html`<p class="note">${say('The beginning of a longer number: stop there, with your voice up.')}</p>`}
    <p id="phase" data-phase=${shown.phase} role="status">${shown.told || (shown.phase === 'idle' && has ? say('This one is recorded.') : WORDS[shown.phase])}</p>
    <meter id="level" min="0" max="1" aria-hidden="true"></meter>
    <div class="controls">
      <button type="button" id="record" class=${has && !isBusy() ? '' : 'main'} disabled=${isBusy() && shown.phase !== 'listening'} onClick=${shown.phase === 'listening' ? () => microphone.stop() : record}>${shown.phase === 'listening' ? say('Done') : has ? say('Again') : say('Record')}</button>
      <button type="button" id="hear" disabled=${!has || isBusy()} onClick=${hear}>${say('Hear it')}</button>
      <button type="button" id="back" disabled=${isBusy()} onClick=${() => move(-1)}>${say('Back')}</button>
      <button type="button" id="next" class=${has && !isBusy() ? 'main' : ''} disabled=${isBusy()} onClick=${next}>${has && left ? say('Next, and record') : say('Next')}</button>
    </div></section>`;
}

function Page() {
  if (!canRecord()) return html`<${NotSecure} />`;
  return ownVoice() ? html`<${Recorder} />` : html`<${Voices} />`;
}

function draw() {
  page.classList.remove('waiting');
  render(html`<${Page} />`, page);
}

function show(changes) {
  Object.assign(shown, changes);
  draw();
}

const showLevel = (level) => {
  const meter = /** @type {HTMLMeterElement | null} */ (document.getElementById('level'));
  if (meter) meter.value = Math.min(1, SHOWN * level);
};

/* Voices */

async function add(event) {
  event.preventDefault();
  const name = event.target.elements['voice-name'].value.trim();
  const voice = name && (await orShowError(postJson('/api/caller/voices', { name })));
  if (!voice) return;
  shown.caller.voices.push(voice);
  await begin(voice.voice);
}

const askToDelete = ({ voice, name }) => confirmDialog(say('Delete {name}’s voice?', { name }), say('All that was recorded of it is gone then.'), say('Delete'), async () => {
  const caller = await orShowError(postJson(`/api/caller/voices/${voice}/delete`));
  if (caller) show({ caller });
});

const begin = (voice) => chooseLanguage(shown.language, voice);

/** Show the first sentence in a language that is not recorded. */
async function chooseLanguage(wanted, voice = shown.voice) {
  const asked = (asks += 1);
  const found = await orShowError(getJson(`/api/caller/sentences?${new URLSearchParams({ language: wanted })}`));
  if (!found || asked !== asks) return;
  Object.assign(shown, { voice, language: wanted, sentences: found.sentences, phase: 'idle', told: '' });
  show({ place: nextPlace(shown.sentences, recorded(), 0) ?? 0 });
}

function leave() {
  asks += 1;
  microphone.close();
  show({ voice: '', phase: 'idle', told: '' });
}

/* One sentence */

async function record() {
  const [voice, url] = [shown.voice, recordingUrl()];
  show({ phase: 'opening', told: '' });
  try {
    await microphone.open();
  } catch {
    if (shown.voice === voice) show({ phase: 'idle', told: say('The browser does not let this page hear you. Allow the microphone, and try again.') });
    return;
  }
  show({ phase: 'listening', told: '' });
  const samples = await microphone.record(shown.caller.longest_s - 1, RATE, showLevel);
  showLevel(0);
  if (shown.voice !== voice) return;
  if (samples) await keep(url, samples);
  else show({ phase: 'idle', told: say('Nothing was heard. Tap “Record” when you are ready.') });
}

async function keep(url, samples) {
  show({ phase: 'keeping' });
  const kept = await postFile(url, wavFile(samples, RATE), 'audio/wav', KEEP_MS).catch((error) => error);
  if (kept instanceof Error) {
    show({ phase: 'idle', told: kept.message || say('The box did not answer. Record it again.') });
    return;
  }
  const voices = shown.caller.voices.map((voice) => (voice.voice === kept.voice ? kept : voice));
  show({ phase: 'kept', caller: { ...shown.caller, voices } });
  byId('next').focus();
}

async function hear() {
  const bytes = await orShowError(getBytes(recordingUrl(), KEEP_MS));
  if (!bytes) return;
  const context = new AudioContext();
  const source = new AudioBufferSourceNode(context, { buffer: await context.decodeAudioData(bytes) });
  source.connect(context.destination);
  source.addEventListener('ended', () => context.close());
  source.start();
}

const move = (step) => show({ place: (shown.place + step + shown.sentences.length) % shown.sentences.length, phase: 'idle', told: '' });

/** Go on to the next sentence that is not recorded, and listen at once. */
async function next() {
  const has = recorded().has(sentence().key);
  const place = nextPlace(shown.sentences, recorded(), shown.place + 1);
  if (!has || place === null) return move(1);
  show({ place, phase: 'idle', told: '' });
  return record();
}

async function start() {
  const caller = await orShowError(getJson('/api/caller'));
  if (!caller) return;
  const language = (caller.languages.find((each) => each.language === pageLanguage) ?? caller.languages[0]).language;
  show({ caller, language });
}

void start();
