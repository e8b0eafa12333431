// The caller on this tablet: says what snapshots bring, and offers one tap to go on after a lock. Loaded when it is wanted.

import { stampOf } from '../connection.js';
import { byId, h } from '../dom.js';
import { say, sayParts } from '../say.js';
import { onSnapshot } from '../snapshot_feed.js';
import { store } from '../storage.js';
import { toast } from '../toast.js';
import { LEVEL_KEY, LANGUAGE_KEY, storedLanguage, storedLevel, storedVoice, VOICE_KEY } from './caller_settings.js';
import { partsSince } from './spoken_parts.js';
import { loadLanguages, loadPack } from './voice_pack.js';
import { VoicePlayer } from './voice_player.js';

const TRIAL = [{ sound: 'score' }, { clips: [['600']] }, { clips: [['your-score']] }, { clips: [['2000+', '400'], ['2000', '400']] }];

/** The language for a browser in one that has no clips. */
const SPOKEN_ELSE = 'en';

/** @type {VoicePlayer | null} */
let player = null;
/** @type {import('./spoken_parts.js').Heard} */
let heard = null;
let level = storedLevel();
let language = storedLanguage();
let voice = storedVoice();
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

/** Return what is chosen on this tablet. @returns {{level: string, language: string, voice: string}} */
export const chosen = () => ({ level, language, voice });

/** Choose how much is said, and let people hear how it sounds; called from a tap. @param {string} wanted @returns {Promise<void>} */
export async function chooseLevel(wanted) {
  level = wanted;
  isMuted = false;
  store('localStorage', LEVEL_KEY, level);
  await tryVoice();
}

/** Choose the language; called from a tap. @param {string} wanted @returns {Promise<void>} */
export async function chooseLanguage(wanted) {
  language = wanted;
  store('localStorage', LANGUAGE_KEY, language);
  await start();
}

/** Choose the voice, '' for the one that comes with Vander; called from a tap. @param {string} wanted @returns {Promise<void>} */
export async function chooseVoice(wanted) {
  voice = wanted;
  store('localStorage', VOICE_KEY, voice);
  await tryVoice();
}

/**
 * Let people hear how it sounds, once the clips are there and the device lets sound out, unless something else was said or
 * silenced meanwhile; called from a tap. @returns {Promise<void>}
 */
export async function tryVoice() {
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
