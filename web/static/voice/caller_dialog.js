// The dialog in which somebody lets the caller speak on this tablet: how much, in which language and voice, and how that sounds.

import { getJson, postJson } from '../api.js';
import { closeButton, dialogTitle, openDialog } from '../dialog.js';
import { h } from '../dom.js';
import { say } from '../say.js';
import { orShowError } from '../toast.js';
import { isKeeper } from '../viewer.js';
import { chooseLanguage, chooseLevel, chooseVoice, chosen, tryVoice } from './caller.js';
import { LEVELS } from './caller_settings.js';
import { loadLanguages } from './voice_pack.js';

/** Open the dialog. @returns {Promise<void>} */
export async function openCaller() {
  const [languages, family] = await Promise.all([loadLanguages(), getJson('/api/caller').catch(() => null)]);
  const { level, language, voice } = chosen();
  openDialog(
    dialogTitle(say('The caller')),
    h('fieldset', { class: 'caller-levels' }, h('legend', {}, say('What is called out on this tablet')), LEVELS.map((each) => drawLevel(each, level))),
    drawChoice('caller-language', say('Language'), languages.map((each) => [each.language, each.title]), language, chooseLanguage),
    family && family.voices.length > 0 && drawChoice('caller-voice', say('Voice'), voicesOf(family), voice, chooseVoice),
    family?.box && isKeeper() && drawChoice('caller-box', say('On the box itself'), LEVELS, family.box, (level) => chooseOnBox(level, family)),
    family && isKeeper() && h('p', {}, h('a', { class: 'button quiet', id: 'to-recording', href: '/caller' }, say('Record a voice of your own'))),
    h('button', { type: 'button', id: 'try-caller', disabled: level === 'off', onclick: tryVoice }, say('Try it')),
    closeButton(say('Close')));
}

const voicesOf = ({ voices }) => [['', say('the one that comes with Vander')], ...voices.map(({ voice, name }) => [voice, name])];

const drawChoice = (id, words, choices, chosenOne, choose) => h('label', { class: 'caller-language' }, words, ' ',
  h('select', { id, onchange: ({ target }) => choose(target.value) },
    choices.map(([value, title]) => h('option', { value, selected: value === chosenOne }, title))));

/** Let the box say so much, in the language of this tablet's caller; where that is refused, what was chosen before stays. */
async function chooseOnBox(level, family) {
  const answer = await orShowError(postJson('/api/caller/box', { level, language: chosen().language }));
  family.box = answer?.box ?? family.box;
  /** @type {HTMLSelectElement} */ (document.getElementById('caller-box')).value = family.box;
}

const drawLevel = ([value, title, heard], level) => h('label', { class: 'caller-level' },
  h('input', { type: 'radio', name: 'caller-level', value, checked: value === level, onchange: () => onLevel(value) }),
  h('span', {}, h('strong', {}, title), h('small', {}, heard)));

function onLevel(value) {
  const trial = /** @type {HTMLButtonElement} */ (document.getElementById('try-caller'));
  trial.disabled = value === 'off';
  return chooseLevel(value);
}
