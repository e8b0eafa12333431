// The page of all die sets: with the doubtful pictures, the accuracy of this table, and what it keeps and asks.

import { dieSetPage, getJson, postJson } from '../api.js';
import { byId, h, redraw } from '../dom.js';
import { totalsOf } from '../fair_play_view.js';
import { counted, dateTime, diskUse, percent, percentRange, quota as quotaText, ratio } from '../format.js';
import { whenVisible } from '../timing.js';
import { orShowError } from '../toast.js';
import { bar, faceThumbnail } from './face_elements.js';
import { openNewDieSet } from './new_die_set.js';

const MOST_THUMBNAILS = 6;
const QUOTAS_MB = [100, 250, 500, 1000, 2000, 5000];
const CHECK_RATES = [[0, 'Never'], [10, '1 in 10'], [20, '1 in 20'], [50, '1 in 50']];

async function refresh() {
  const [overview, accuracy, fairPlay] = await Promise.all(['/api/teaching', '/api/teaching/certificate', '/api/fair-play'].map((url) => orShowError(getJson(url))));
  if (overview) show(overview);
  if (accuracy) redraw(byId('accuracy'), { ...accuracy, games: fairPlay?.games ?? [] }, drawAccuracy);
}

function show(overview) {
  byId('die-sets-page').classList.remove('waiting');
  redraw(byId('trouble'), overview.trouble, (sentence) => sentence && h('p', { class: 'trouble' }, sentence));
  redraw(byId('running-capture'), overview.sitting && { title: overview.sitting.title, dice: overview.sitting.dice }, drawRunningCapture);
  redraw(byId('sets'), overview.dice, drawDieSets);
  redraw(byId('queue'), overview.queued, drawQueue);
  redraw(byId('preferences'), { ...overview.choices, used_mb: overview.used_mb }, drawPreferences);
}

function drawRunningCapture(capture) {
  if (!capture) return [];
  const end = async () => (await orShowError(postJson('/api/teaching/rise'))) && refresh();
  return h('div', { class: 'running-capture' }, h('p', {}, `${capture.title} is being captured; no game is refereed meanwhile.`),
    h('a', { class: 'button', href: dieSetPage(capture.dice, 'capture') }, 'Go on'),
    h('button', { type: 'button', class: 'quiet', id: 'end-capture', onclick: end }, 'End it'));
}

/* Die sets */

function drawDieSets(dieSets) {
  const create = () => openNewDieSet((dieSet) => location.assign(dieSetPage(dieSet.name, 'capture')));
  return [
    h('div', { class: 'heading' }, h('h1', {}, 'Your dice'),
      h('button', { type: 'button', class: 'main', id: 'new-dice', onclick: create }, 'New dice')),
    dieSets.length ? h('div', { class: 'sets' }, dieSets.map(drawDieSet)) : h('p', { class: 'none' }, 'No dice are known yet. Make new ones and show them to the camera.'),
  ];
}

function drawDieSet(dieSet) {
  const { name, title, faces } = dieSet;
  const ready = faces.filter(({ enough }) => enough).length;
  const further = faces.length - MOST_THUMBNAILS;
  return h('article', { class: 'set', 'data-dice': name },
    h('a', { class: 'about-set', href: dieSetPage(name), 'data-key': `set-${name}` },
      h('h2', {}, title),
      h('span', { class: 'thumbnails' }, faces.slice(0, MOST_THUMBNAILS).map(faceThumbnail), further > 0 && h('span', { class: 'further' }, `+${further}`)),
      h('span', { class: 'note' }, drawLessonInUse(dieSet), h('br'), drawPlayed(dieSet), dieSet.pictures ? pictureCount(dieSet, ready) : 'no pictures yet'),
      dieSet.pictures > 0 && bar(ratio(ready, faces.length), 'wide')),
    h('div', { class: 'pair' },
      h('a', { class: 'button strong', href: dieSetPage(name, 'capture'), 'aria-label': `Capture ${title}` }, 'Capture'),
      h('a', { class: 'button quiet', href: dieSetPage(name), 'aria-label': `Faces and lesson of ${title}` }, 'Faces')));
}

const pictureCount = ({ pictures, faces }, ready) => `${counted(pictures, 'picture')}, enough for ${ready} of ${counted(faces.length, 'face')}`;

function drawPlayed({ answers, doubted }) {
  if (!answers) return '';
  return [counted(answers, 'answer'), ' learned in play', doubted > 0 && h('em', {}, doubted === 1 ? '1 looks wrong' : `${doubted} look wrong`), h('br')];
}

function drawLessonInUse({ version, fresh, pictures }) {
  const inUse = version ? `Lesson ${version} in use` : 'Read as it came';
  return h('span', {}, inUse, fresh && pictures > 0 && h('em', {}, version ? 'new pictures since' : 'not taught yet'));
}

function drawQueue(count) {
  if (!count) return [];
  const words = count === 1 ? '1 doubtful picture waits for a word' : `${count} doubtful pictures wait for a word`;
  return h('a', { class: 'button queued', href: '/dice/queue' }, h('strong', {}, words), h('span', { 'aria-hidden': 'true' }, '›'));
}

/* Accuracy */

function drawAccuracy({ since, right, throws, asked, corrected, waiting, sentence, games }) {
  const how = 'Now and then the table asks “Is this right?”; from the answers this page works out how well it reads your dice.';
  return h('div', { class: 'panel' },
    h('h2', {}, 'This table’s certificate'),
    right ? h('p', { class: 'large-figure' }, h('strong', {}, `${right.hits} of ${right.count}`), ' dice read right') : h('p', { class: 'note' }, `${sentence || 'No throw has been checked yet.'} ${how}`),
    right && h('p', { class: 'note' }, `That is ${percentRange(right)} in 19 of 20 such tables.`),
    right && h('ul', { class: 'lines' },
      throws && h('li', {}, `${throws.hits} of ${counted(throws.count, 'checked throw')} without a mistake (${percentRange(throws)})`),
      asked && h('li', {}, `it asked about ${asked.hits} of ${asked.count} dice (${percentRange(asked)})`),
      corrected && h('li', {}, `${corrected.hits} of ${corrected.count} were corrected (${percent(corrected.share)}); that alone is no measure`),
      waiting > 0 && h('li', {}, `${counted(waiting, 'check')} went unanswered`)),
    since && right && h('p', { class: 'note' }, `Since ${dateTime(since)}.`),
    games.length > 0 && drawFairPlay(games));
}

function drawFairPlay(games) {
  return [
    h('p', {}, h('a', { id: 'to-fair-play', href: '/fair-play' }, `Fair play in the last ${counted(games.length, 'game')}`)),
    h('ul', { class: 'lines' }, totalsOf(games).map(({ title, count }) => h('li', {}, `${title}: ${count}`))),
  ];
}

/* Preferences */

function drawPreferences({ keep_play: keep, quota_mb: quota, check_one_in: rate, used_mb: used }) {
  const change = async (changed) => {
    const overview = await orShowError(postJson('/api/teaching/choices', { keep_play: keep, quota_mb: quota, check_one_in: rate, ...changed }));
    if (overview) show(overview);
  };
  return h('div', { class: 'panel' },
    h('h2', {}, 'What this table keeps and asks'),
    h('button', { type: 'button', class: 'switch', id: 'keep-play', role: 'switch', 'data-key': 'keep-play', 'aria-checked': String(keep), onclick: () => change({ keep_play: !keep }) }, 'Keep pictures from play'),
    h('p', { class: 'note' }, 'Switched on, the pictures of dice that you confirm or correct while you play are kept on this box, cut to the tray. They are used to teach your dice. Nothing leaves the box.'),
    h('div', { class: 'disk-space' },
      h('label', {}, 'Room for pictures', drawQuotaChoice(quota, change)),
      h('p', { class: 'note' }, diskUse(used)), bar(ratio(used, quota), 'wide')),
    h('fieldset', { class: 'check-rates' }, h('legend', {}, 'How often to ask “Is this right?”'),
      ratesWith(rate).map(([value, words]) => h('button', { type: 'button', 'data-key': `rate-${value}`, 'data-rate': value, 'aria-pressed': String(value === rate), onclick: () => change({ check_one_in: value }) }, words))),
    h('p', { class: 'note' }, rate ? `About one throw in ${rate} is asked about. It is how the certificate is earned.` : 'No throw is asked about, so the certificate stands still.'));
}

/** The usual rates, and the one in use if it is another. */
const ratesWith = (rate) => (CHECK_RATES.some(([value]) => value === rate) ? CHECK_RATES : [...CHECK_RATES, [rate, `1 in ${rate}`]]);

function drawQuotaChoice(quota, change) {
  const sizes = [...new Set([...QUOTAS_MB, quota])].sort((one, other) => one - other);
  return h('select', { id: 'quota', 'data-key': 'quota', onchange: (event) => change({ quota_mb: Number(event.target.value) }) },
    sizes.map((size) => h('option', { value: size, selected: size === quota }, quotaText(size))));
}

whenVisible(refresh);
