// The page of all die sets: with the doubtful pictures, the accuracy of this table, and what it keeps and asks.

import { AnswerOrder, dieSetPage, getJson, postJson } from '../api.js';
import { byId, h, orShowError, redraw } from '../dom.js';
import { dateTime, diskUse, percent, percentRange, quota as quotaText, ratio } from '../format.js';
import { whenVisible } from '../live_view.js';
import { totalsOf } from '../report_view.js';
import { say, sayCount, sayParts } from '../say.js';
import { bar, faceThumbnail } from './face_elements.js';
import { openNewDieSet } from './new_die_set.js';

const MOST_THUMBNAILS = 6;
const QUOTAS_MB = [100, 250, 500, 1000, 2000, 5000];
const rateChoice = (rate) => [rate, say('1 in {rate}', { rate })];
const CHECK_RATES = [[0, say('Never')], ...[10, 20, 50].map(rateChoice)];
const order = new AnswerOrder();

async function refresh() {
  const answers = await order.look(Promise.all(['/api/teaching', '/api/teaching/certificate', '/api/fair-play'].map((url) => orShowError(getJson(url)))));
  if (!answers) return;
  const [overview, accuracy, fairPlay] = answers;
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
  return h('div', { class: 'running-capture' }, h('p', {}, say('{dice} is being captured; no game is refereed meanwhile.', { dice: capture.title })),
    h('a', { class: 'button', href: dieSetPage(capture.dice, 'capture') }, say('Go on')),
    h('button', { type: 'button', class: 'quiet', id: 'end-capture', onclick: end }, say('End it')));
}

/* Die sets */

function drawDieSets(dieSets) {
  const create = () => openNewDieSet((dieSet) => location.assign(dieSetPage(dieSet.name, 'capture')));
  return [
    h('div', { class: 'heading' }, h('h1', {}, say('Your dice')),
      h('button', { type: 'button', class: 'main', id: 'new-dice', onclick: create }, say('New dice'))),
    dieSets.length ? h('div', { class: 'sets' }, dieSets.map(drawDieSet)) : h('p', { class: 'none' }, say('No dice are known yet. Make new ones and show them to the camera.')),
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
      h('span', { class: 'note' }, drawLessonInUse(dieSet), h('br'), drawPlayed(dieSet), dieSet.pictures ? pictureCount(dieSet, ready) : say('no pictures yet')),
      dieSet.pictures > 0 && bar(ratio(ready, faces.length), 'wide')),
    h('div', { class: 'pair' },
      h('a', { class: 'button strong', href: dieSetPage(name, 'capture'), 'aria-label': say('Capture {face}', { face: title }) }, say('Capture')),
      h('a', { class: 'button quiet', href: dieSetPage(name), 'aria-label': say('Faces and lesson of {dice}', { dice: title }) }, say('Faces'))));
}

const pictureCount = ({ pictures, faces }, ready) => say('{pictures}, enough for {ready} of {faces}', { pictures: sayCount('{count} picture', '{count} pictures', pictures), ready, faces: sayCount('{count} face', '{count} faces', faces.length) });

function drawPlayed({ answers, doubted }) {
  if (!answers) return '';
  return [sayCount('{count} answer learned in play', '{count} answers learned in play', answers), doubted > 0 && h('em', {}, sayCount('{count} looks wrong', '{count} look wrong', doubted)), h('br')];
}

function drawLessonInUse({ version, fresh, pictures }) {
  const inUse = version ? say('Lesson {version} in use', { version }) : say('Read as it came');
  return h('span', {}, inUse, fresh && pictures > 0 && h('em', {}, version ? say('new pictures since') : say('not taught yet')));
}

function drawQueue(count) {
  if (!count) return [];
  const words = sayCount('{count} doubtful picture waits for a name', '{count} doubtful pictures wait for a name', count);
  return h('a', { class: 'button queued', href: '/dice/queue' }, h('strong', {}, words), h('span', { 'aria-hidden': 'true' }, '›'));
}

/* Accuracy */

function drawAccuracy({ since, right, throws, asked, corrected, waiting, sentence, games }) {
  const how = say('Now and then the table asks “Is this right?”. The answers show how well it reads your dice.');
  return h('div', { class: 'panel' },
    h('h2', {}, say('This table’s certificate')),
    right ? h('p', { class: 'large-figure' }, sayParts('{share} dice read right', { share: h('strong', {}, say('{hits} of {count}', { hits: right.hits, count: right.count })) })) : h('p', { class: 'note' }, `${sentence || say('No throw has been checked yet.')} ${how}`),
    right && h('p', { class: 'note' }, say('That is {range} in 19 of 20 such tables.', { range: percentRange(right) })),
    right && h('ul', { class: 'lines' },
      throws && h('li', {}, sayCount('{hits} of {count} checked throw without a mistake ({range})', '{hits} of {count} checked throws without a mistake ({range})', throws.count, { hits: throws.hits, range: percentRange(throws) })),
      asked && h('li', {}, sayCount('it asked about {hits} of {count} die ({range})', 'it asked about {hits} of {count} dice ({range})', asked.count, { hits: asked.hits, range: percentRange(asked) })),
      corrected && h('li', {}, say('{hits} of {count} were corrected ({share}); that alone is no measure', { hits: corrected.hits, count: corrected.count, share: percent(corrected.share) })),
      waiting > 0 && h('li', {}, sayCount('{count} check went unanswered', '{count} checks went unanswered', waiting))),
    since && right && h('p', { class: 'note' }, say('Since {time}.', { time: dateTime(since) })),
    games.length > 0 && drawFairPlay(games));
}

function drawFairPlay(games) {
  return [
    h('p', {}, h('a', { id: 'to-fair-play', href: '/fair-play' }, sayCount('Fair play in the last game', 'Fair play in the last {count} games', games.length))),
    h('ul', { class: 'lines' }, totalsOf(games).map(({ title, count }) => h('li', {}, `${title}: ${count}`))),
  ];
}

/* Preferences */

function drawPreferences({ keep_play: keep, quota_mb: quota, check_one_in: rate, used_mb: used }) {
  const change = async (changed) => {
    const overview = await order.change(orShowError(postJson('/api/teaching/choices', { keep_play: keep, quota_mb: quota, check_one_in: rate, ...changed })));
    if (overview) show(overview);
  };
  return h('div', { class: 'panel' },
    h('h2', {}, say('What this table keeps and asks')),
    h('button', { type: 'button', class: 'switch', id: 'keep-play', role: 'switch', 'data-key': 'keep-play', 'aria-checked': String(keep), onclick: () => change({ keep_play: !keep }) }, say('Keep pictures from play')),
    h('p', { class: 'note' }, say('Switched on, this box keeps pictures of dice that you confirm or correct in play, cut to the tray. They teach it your dice. Nothing leaves the box.')),
    h('div', { class: 'disk-space' },
      h('label', {}, say('Room for pictures'), drawQuotaChoice(quota, change)),
      h('p', { class: 'note' }, diskUse(used)), bar(ratio(used, quota), 'wide')),
    h('fieldset', { class: 'check-rates' }, h('legend', {}, say('How often to ask “Is this right?”')),
      ratesWith(rate).map(([value, words]) => h('button', { type: 'button', 'data-key': `rate-${value}`, 'data-rate': value, 'aria-pressed': String(value === rate), onclick: () => change({ check_one_in: value }) }, words))),
    h('p', { class: 'note' }, rate ? say('About one throw in {rate} is asked about. It is how the certificate is earned.', { rate }) : say('No throw is asked about, so the certificate stands still.')));
}

/** The usual rates, and the one in use if it is another. */
const ratesWith = (rate) => (CHECK_RATES.some(([value]) => value === rate) ? CHECK_RATES : [...CHECK_RATES, rateChoice(rate)]);

function drawQuotaChoice(quota, change) {
  const sizes = [...new Set([...QUOTAS_MB, quota])].sort((one, other) => one - other);
  return h('select', { id: 'quota', 'data-key': 'quota', onchange: (event) => change({ quota_mb: Number(event.target.value) }) },
    sizes.map((size) => h('option', { value: size, selected: size === quota }, quotaText(size))));
}

whenVisible(refresh);
