// The dialog in which somebody lets the caller speak on this tablet: how much, in which language, and how that sounds.

import { closeButton, dialogTitle, openDialog } from '../dialog.js';
import { h } from '../dom.js';
import { chooseLanguage, chooseLevel, chosen, tryVoice } from './caller.js';
import { LEVELS } from './caller_settings.js';
import { loadLanguages } from './voice_pack.js';
import { say } from '../say.js';

/** Open the dialog. @returns {Promise<void>} */
export async function openCaller() {
  const languages = await loadLanguages();
  const { level, language } = chosen();
  openDialog(
    dialogTitle(say('The caller')),
    h('fieldset', { class: 'caller-levels' }, h('legend', {}, say('What is called out on this tablet')), LEVELS.map((each) => drawLevel(each, level))),
    h('label', { class: 'caller-language' }, say('Language'), ' ',
      h('select', { id: 'caller-language', onchange: ({ target }) => chooseLanguage(target.value) },
        languages.map((each) => h('option', { value: each.language, selected: each.language === language }, each.title)))),
    h('button', { type: 'button', id: 'try-caller', disabled: level === 'off', onclick: tryVoice }, say('Try it')),
    closeButton(say('Close')));
}

const drawLevel = ([value, title, heard], level) => h('label', { class: 'caller-level' },
  h('input', { type: 'radio', name: 'caller-level', value, checked: value === level, onchange: () => onLevel(value) }),
  h('span', {}, h('strong', {}, title), h('small', {}, heard)));

function onLevel(value) {
  const trial = /** @type {HTMLButtonElement} */ (document.getElementById('try-caller'));
  trial.disabled = value === 'off';
  return chooseLevel(value);
}
