// Your dice: the die sets, the doubtful pictures, this table's certificate, and what it keeps and asks.

import { tell } from '../api.js';
import { byId, h, redraw } from '../dom.js';
import { openNew } from './new_die_set.js';
import { bar, counted, faceShown, inPercent, interval, look, moment, pageOf, share, whenSeen } from './face_elements.js';

const MOST_SHOWN = 6;
const QUOTAS_MB = [100, 250, 500, 1000, 2000, 5000];
const CHECKS = [[0, 'Never'], [10, '1 in 10'], [20, '1 in 20'], [50, '1 in 50']];

async function refresh() {
  const [overview, certificate] = await Promise.all([look('/api/teaching'), look('/api/teaching/certificate')]);
  if (overview) show(overview);
  if (certificate) redraw(byId('certificate'), certificate, drawCertificate);
}

function show(overview) {
  byId('dice-page').classList.remove('waiting');
  redraw(byId('trouble'), overview.trouble, (sentence) => sentence && h('p', { class: 'trouble' }, sentence));
  redraw(byId('going-on'), overview.sitting && { title: overview.sitting.title, dice: overview.sitting.dice }, drawGoingOn);
  redraw(byId('sets'), overview.dice, drawSets);
  redraw(byId('queue'), overview.queued, drawQueue);
  redraw(byId('choices'), { ...overview.choices, used_mb: overview.used_mb }, drawChoices);
}

function drawGoingOn(sitting) {
  if (!sitting) return [];
  const end = async () => (await tell('/api/teaching/rise')) && refresh();
  return h('div', { class: 'going-on' }, h('p', {}, `${sitting.title} is being captured; no game is refereed meanwhile.`),
    h('a', { class: 'button', href: pageOf(sitting.dice, 'capture') }, 'Go on'),
    h('button', { type: 'button', class: 'quiet', id: 'end-capture', onclick: end }, 'End it'));
}

function drawSets(sets) {
  return [
    h('div', { class: 'heading' }, h('h1', {}, 'Your dice'),
      h('button', { type: 'button', class: 'main', id: 'new-dice', onclick: () => openNew((dice) => location.assign(pageOf(dice.name, 'capture'))) }, 'New dice')),
    sets.length ? h('div', { class: 'sets' }, sets.map(drawSet)) : h('p', { class: 'none' }, 'No dice are known yet. Make new ones and show them to the camera.'),
  ];
}

function drawSet(dice) {
  const done = dice.faces.filter(({ enough }) => enough).length;
  const rest = dice.faces.length - MOST_SHOWN;
  return h('article', { class: 'set', 'data-dice': dice.name },
    h('a', { class: 'about-set', href: pageOf(dice.name), 'data-key': `set-${dice.name}` },
      h('h2', {}, dice.title),
      h('span', { class: 'snaps' }, dice.faces.slice(0, MOST_SHOWN).map(faceShown), rest > 0 && h('span', { class: 'rest' }, `+${rest}`)),
      h('span', { class: 'told' }, inUse(dice), h('br'), dice.pictures ? pictures(dice, done) : 'no pictures yet'),
      dice.pictures > 0 && bar(share(done, dice.faces.length), 'wide')),
    h('div', { class: 'pair' },
      h('a', { class: 'button strong', href: pageOf(dice.name, 'capture'), 'aria-label': `Capture ${dice.title}` }, 'Capture'),
      h('a', { class: 'button quiet', href: pageOf(dice.name), 'aria-label': `Faces and lesson of ${dice.title}` }, 'Faces')));
}

const pictures = (dice, done) => `${counted(dice.pictures, 'picture')}, enough for ${done} of ${counted(dice.faces.length, 'face')}`;

function inUse({ version, fresh, pictures: count }) {
  const used = version ? `Lesson ${version} in use` : 'Read as it came';
  return h('span', {}, used, fresh && count > 0 && h('em', {}, version ? 'new pictures since' : 'not taught yet'));
}

function drawQueue(queued) {
  if (!queued) return [];
  const words = queued === 1 ? '1 doubtful picture waits for a word' : `${queued} doubtful pictures wait for a word`;
  return h('a', { class: 'button queued', href: '/dice/queue' }, h('strong', {}, words), h('span', { 'aria-hidden': 'true' }, '›'));
}

/* The certificate */

function drawCertificate({ since, right, throws, asked, corrected, waiting, sentence }) {
  const how = 'Now and then the table asks “Is this right?”; from the answers this page works out how well it reads your dice.';
  return h('div', { class: 'panel' },
    h('h2', {}, 'This table’s certificate'),
    right ? h('p', { class: 'large-figure' }, h('strong', {}, `${right.hits} of ${right.count}`), ' dice read right') : h('p', { class: 'told' }, `${sentence || 'No throw has been checked yet.'} ${how}`),
    right && h('p', { class: 'told' }, `That is ${interval(right)} in 19 of 20 such tables.`),
    right && h('ul', { class: 'lines' },
      throws && h('li', {}, `${throws.hits} of ${counted(throws.count, 'checked throw')} without a mistake (${interval(throws)})`),
      asked && h('li', {}, `it asked about ${asked.hits} of ${asked.count} dice (${interval(asked)})`),
      corrected && h('li', {}, `${corrected.hits} of ${corrected.count} were corrected (${inPercent(corrected.share)}); that alone is no measure`),
      waiting > 0 && h('li', {}, `${counted(waiting, 'check')} went unanswered`)),
    since && right && h('p', { class: 'told' }, `Since ${moment(since)}.`));
}

/* The choices */

function drawChoices({ keep_play: keep, quota_mb: quota, check_one_in: often, used_mb: used }) {
  const now = { keep_play: keep, quota_mb: quota, check_one_in: often };
  const choose = async (change) => {
    const overview = await tell('/api/teaching/choices', { ...now, ...change });
    if (overview) show(overview);
  };
  return h('div', { class: 'panel' },
    h('h2', {}, 'What this table keeps and asks'),
    h('button', { type: 'button', class: 'switch', id: 'keep-play', role: 'switch', 'data-key': 'keep-play', 'aria-checked': String(keep), onclick: () => choose({ keep_play: !keep }) }, 'Keep pictures from play'),
    h('p', { class: 'told' }, 'Switched on, the pictures of dice that you confirm or correct while you play are kept on this box, cut to the tray. They are used to teach your dice. Nothing leaves the box.'),
    h('div', { class: 'room' },
      h('label', {}, 'Room for pictures', quotaChoice(quota, choose)),
      h('p', { class: 'told' }, `${used < 10 ? used.toFixed(1) : Math.round(used)} MB used`), bar(share(used, quota), 'wide')),
    h('fieldset', { class: 'often' }, h('legend', {}, 'How often to ask “Is this right?”'),
      checksOf(often).map(([value, words]) => h('button', { type: 'button', 'data-key': `often-${value}`, 'data-often': value, 'aria-pressed': String(value === often), onclick: () => choose({ check_one_in: value }) }, words))),
    h('p', { class: 'told' }, often ? `About one throw in ${often} is asked about. It is how the certificate is earned.` : 'No throw is asked about, so the certificate stands still.'));
}

/** The usual rates, and the one in use where it is another. */
const checksOf = (often) => (CHECKS.some(([value]) => value === often) ? CHECKS : [...CHECKS, [often, `1 in ${often}`]]);

function quotaChoice(quota, choose) {
  const sizes = [...new Set([...QUOTAS_MB, quota])].sort((one, other) => one - other);
  return h('select', { id: 'quota', 'data-key': 'quota', onchange: (event) => choose({ quota_mb: Number(event.target.value) }) },
    sizes.map((size) => h('option', { value: size, selected: size === quota }, size < 1000 ? `${size} MB` : `${size / 1000} GB`)));
}

whenSeen(refresh);
