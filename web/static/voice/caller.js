// The caller on this tablet: says what snapshots bring, offers one tap to go on after a lock, and is set up in a dialog. Loaded when
// it is wanted.

import { getJson, postJson } from '../api.js';
import { closeButton, dialogTitle, openDialog } from '../dialog.js';
import { byId, h, orShowError, toast } from '../dom.js';
import { onSnapshot, stampOf } from '../events.js';
import { language as pageLanguage, say, sayParts } from '../say.js';
import { CALLER_LEVEL, isKeeper, load, store } from '../viewer.js';
import { VoicePlayer, loadLanguages, loadPack, partsSince } from './voice_player.js';

/* What is kept: off until somebody asks for it */

/** Where this tablet keeps the language. */
const LANGUAGE_KEY = 'vander.caller.language';
/** Where this tablet keeps whose voice it is. */
const VOICE_KEY = 'vander.caller.voice';

/** Each level with its name and what is heard. */
const LEVELS = [
  ['off', say('Off'), say('Nothing is heard on this tablet.')],
  ['low', say('A little'), say('Sounds, what ends a turn, and scores.')],
  ['all', say('Everything'), say('Every throw, and whose turn it is, too.')],
];

/** Return the stored level, 'off' for none. */
function storedLevel() {
  const stored = load('localStorage', CALLER_LEVEL) ?? '';
  return LEVELS.some(([level]) => level === stored) ? stored : 'off';
}

/* The dialog: how much, in which language and voice, and how that sounds */

/** Open the dialog. @returns {Promise<void>} */
export async function openCaller() {
  const [languages, family] = await Promise.all([loadLanguages(), getJson('/api/caller').catch(() => null)]);
  openDialog(
    dialogTitle(say('The caller')),
    h('fieldset', { class: 'caller-levels' }, h('legend', {}, say('What is called out on this tablet')), LEVELS.map(drawLevel)),
    drawChoice('caller-language', say('Language'), languages.map((each) => [each.language, each.title]), language, chooseLanguage),
    family && family.voices.length > 0 && drawChoice('caller-voice', say('Voice'), voicesOf(family), voice, chooseVoice),
    family?.box && isKeeper() && drawChoice('caller-box', say('On the box itself'), LEVELS, family.box, (wanted) => chooseOnBox(wanted, family)),
    family && isKeeper() && h('p', {}, h('a', { class: 'button quiet', id: 'to-recording', href: '/caller' }, say('Record a voice of your own'))),
    h('button', { type: 'button', id: 'try-caller', disabled: level === 'off', onclick: tryVoice }, say('Try it')),
    closeButton(say('Close')));
}

const voicesOf = ({ voices }) => [['', say('the one that comes with Vander')], ...voices.map(({ voice, name }) => [voice, name])];

const drawChoice = (id, words, choices, chosenOne, choose) => h('label', { class: 'caller-language' }, words, ' ',
  h('select', { id, onchange: ({ target }) => choose(target.value) },
    choices.map(([value, title]) => h('option', { value, selected: value === chosenOne }, title))));

/** Let the box say so much, in the language of this tablet's caller; where that is refused, what was chosen before stays. */
async function chooseOnBox(wanted, family) {
  const answer = await orShowError(postJson('/api/caller/box', { level: wanted, language }));
  family.box = answer?.box ?? family.box;
  /** @type {HTMLSelectElement} */ (document.getElementById('caller-box')).value = family.box;
}

const drawLevel = ([value, title, told]) => h('label', { class: 'caller-level' },
  h('input', { type: 'radio', name: 'caller-level', value, checked: value === level, onchange: () => onLevel(value) }),
  h('span', {}, h('strong', {}, title), h('small', {}, told)));

function onLevel(value) {
  const trial = /** @type {HTMLButtonElement} */ (document.getElementById('try-caller'));
  trial.disabled = value === 'off';
  return chooseLevel(value);
}

/* What is said */

const TRIAL = [{ sound: 'score' }, { clips: [['600']] }, { clips: [['your-score']] }, { clips: [['2000+', '400'], ['2000', '400']] }];

/** The language for a browser in one that has no clips. */
const SPOKEN_ELSE = 'en';

/** @type {VoicePlayer | null} */
let player = null;
/** @type {import('./voice_player.js').Heard} */
let heard = null;
let level = storedLevel();
let language = load('localStorage', LANGUAGE_KEY) ?? pageLanguage;
/** The family's voice, '' for the one that comes with Vander. */
let voice = load('localStorage', VOICE_KEY) ?? '';
let isMuted = false;
let isLoading = false;

const muteButton = byId('mute');
const resumeButton = h('button', { type: 'button', id: 'hear-again', 'aria-label': say('Tap to hear the caller'), hidden: true, onclick: resume }, sayParts('Tap to hear {rest}', { rest: h('span', { class: 'rest' }, say('the caller')) }));

/** Say what a snapshot brings. @param {any} snapshot @returns {void} */
function hear(snapshot) {
  const parts = partsSince(heard, snapshot, level);
  heard = stampOf(snapshot);
  if (!parts.length || !player || isMuted) return;
  player.say(parts);
  if (!player.pack && !isLoading) loadVoice(player).catch(() => null);
}

/** Say nothing of what happened while the page did not hear from the table. @returns {void} */
export function forgetSpoken() {
  heard = null;
}

/** Say what comes after this snapshot, which is shown when the table is heard from again. @param {any} snapshot @returns {void} */
export function sayAfter(snapshot) {
  heard ??= stampOf(snapshot);
}

/** Choose how much is said, and let people hear how it sounds; called from a tap. */
async function chooseLevel(wanted) {
  level = wanted;
  isMuted = false;
  store('localStorage', CALLER_LEVEL, level);
  await tryVoice();
}

/** Choose the language; called from a tap. @param {string} wanted @returns {Promise<void>} */
export async function chooseLanguage(wanted) {
  language = wanted;
  store('localStorage', LANGUAGE_KEY, language);
  await start();
}

/** Choose the voice, '' for the one that comes with Vander; called from a tap. */
async function chooseVoice(wanted) {
  voice = wanted;
  store('localStorage', VOICE_KEY, voice);
  await tryVoice();
}

/** Let people hear how it sounds, once the clips are there and the device lets sound out, unless something else was said or silenced meanwhile; called from a tap. */
async function tryVoice() {
  const before = player?.ticket ?? 0;
  await start();
  await player?.resume();
  if (level !== 'off' && player?.ticket === before) await player.say(TRIAL);
}

async function start() {
  if (level === 'off') player?.stop();
  else {
    player ??= new VoicePlayer(showState);
    if (navigator.userActivation?.hasBeenActive ?? true) player.resume();
    if (player.language !== language || player.voice !== voice) await loadVoice(player).catch(sayNotLoaded);
  }
  showState();
}

/** Load the clips of what is chosen; those of what is no longer chosen when they come are not taken. */
async function loadVoice(playing) {
  const [wanted, whose] = [language, voice];
  isLoading = true;
  try {
    const known = (await loadLanguages()).some((each) => each.language === wanted);
    const spoken = known ? wanted : SPOKEN_ELSE;
    const pack = await loadPack(spoken, whose);
    if (language !== wanted || voice !== whose) return;
    language = spoken;
    playing.take(pack, language, voice);
  } finally {
    isLoading = false;
  }
}

const sayNotLoaded = () => toast(say('The caller’s voice could not be loaded: only sounds are heard. Try again in a moment.'));

function showState() {
  const isOn = level !== 'off';
  const isWaiting = isOn && !isMuted && player !== null && !player.isRunning;
  muteButton.hidden = !isOn || isWaiting;
  muteButton.setAttribute('aria-pressed', String(isMuted));
  muteButton.title = muteButton.ariaLabel = isMuted ? say('Let the caller speak') : say('Silence the caller');
  muteButton.classList.toggle('muted', isMuted);
  resumeButton.hidden = !isWaiting;
}

function mute() {
  isMuted = !isMuted;
  if (isMuted) player?.stop();
  else resume();
  showState();
}

async function resume() {
  await player?.resume();
  showState();
}

/** Any tap on the page is the tap that lets the sound go on. */
function resumeWithTap() {
  if (player && !player.isRunning && level !== 'off' && !isMuted) void resume();
}

muteButton.before(resumeButton);
muteButton.addEventListener('click', mute);
for (const tap of ['pointerup', 'keydown']) addEventListener(tap, resumeWithTap, { capture: true, passive: true });
document.addEventListener('visibilitychange', () => document.hidden || player?.checkClock());
onSnapshot(hear);
start();
