// The page of the first run: camera, mat, light, dice and players, one screen each, then the first game.

import { capturedUrl, dieSetPage, getJson, postJson } from './api.js';
import { tapCorners } from './corners/tray_corners.js';
import { faceIcon, hasDrawing, titleIcon } from './die_faces.js';
import { byId, h, redraw } from './dom.js';
import { facesOf, NAMES, nextWord, readingOf, stepsFor, TITLES, verdictAt } from './first_run_view.js';
import { showLiveView, WHOLE } from './live_view.js';
import { filledNames, initialNames, namesProblem, seatName, seatRange } from './player_names.js';
import { say, sayParts } from './say.js';
import { load, store, TRAY_DRAWER } from './storage.js';
import { sleep, untilVisible } from './timing.js';
import { errorSentence, orShowError } from './toast.js';

const EXAMINATION_MS = 60000;
const AGAIN_MS = 1500;
const LONGEST_NAME = 24;
const NAMES_KEY = 'vander.players';
const SIGNS = { good: '✓', unsure: '!', bad: '✗', looking: '…' };

const page = byId('first-run');
const hasDoctor = page.dataset.doctor === 'yes';
const hasMat = page.dataset.mat === 'yes';
const hasDice = page.dataset.dice === 'yes';
const hasCorners = page.dataset.corners === 'yes';
const isPhone = page.dataset.phone === 'yes';

let steps = /** @type {string[]} */ ([]);
let place = 0;
let camera = '';
let findings = null;
let games = [];
/** What is known of all die sets; none where this browser may not know. */
let dieSets = [];
let game = null;
let names = ['', ''];
let urls = [];
let problem = '';

const step = () => steps[place];
const isExamined = () => ['camera', 'mat', 'light'].includes(step()) && hasDoctor && camera !== 'virtual';
const verdict = () => (isExamined() ? verdictAt(step(), findings) : null);

function show() {
  redraw(byId('steps'), { steps, place }, () => steps.map((name, at) =>
    h('li', { class: at < place ? 'done' : '', 'aria-current': at === place && 'step' }, h('span', { class: 'number', 'aria-hidden': 'true' }, at < place ? '✓' : String(at + 1)), NAMES[name])));
  redraw(byId('step'), { step: step(), verdict: verdict(), game: game?.name, count: names.length, urls, problem }, drawStep);
  byId('picture').hidden = !['camera', 'mat', 'light'].includes(step());
  byId('back').disabled = place === 0;
  byId('next').textContent = nextWord(step(), verdict()?.verdict ?? 'good');
  page.classList.remove('waiting');
}

const DRAWN = { camera: drawCamera, mat: drawMat, light: drawFinding, dice: drawGames, players: drawPlayers };

const drawStep = (view) => [h('h1', { tabindex: '-1' }, TITLES[view.step]), DRAWN[view.step](view)];

function drawCamera(view) {
  if (camera === 'virtual') return h('p', {}, sayParts('This is the virtual tray: the dice and the camera are drawn, for trying. {link}', { link: h('a', { href: '/start' }, say('Use a camera')) }));
  if (isPhone) return [drawPhone(), hasDoctor && drawFinding(view)];
  return hasDoctor ? drawFinding(view) : h('p', {}, say('The whole tray has to be in the picture, seen from above.'));
}

const drawPhone = () => h('div', { class: 'join' },
  h('img', { class: 'qr', src: '/camera.svg', alt: say('QR code of the phone’s page') }),
  h('div', {},
    h('p', {}, h('strong', {}, say('Scan this with the phone that is the camera.'))),
    h('p', {}, say('Lean it on books, or hang it in a stand, so that it looks down at the tray. Its page shows what to move.')),
    h('p', { class: 'note' }, h('a', { href: '/https' }, say('The phone warns you of the page? This helps.')))));

function drawFinding({ verdict: found }) {
  return h('div', { class: 'verdict', 'data-verdict': found.verdict },
    h('span', { class: 'sign', 'aria-hidden': 'true' }, SIGNS[found.verdict]),
    h('div', {}, h('p', {}, h('strong', {}, found.told)), found.advice && h('p', {}, found.advice)));
}

function drawMat(view) {
  return [
    drawFinding(view),
    hasMat && h('p', {}, say('No mat yet? Print it at 100 %, not fitted to the page:')),
    hasMat && h('div', { class: 'papers' }, [['a4', 'A4'], ['a3', 'A3'], ['letter', say('Letter')]].map(([paper, title]) =>
      h('a', { class: 'button', href: `/mat/${paper}.pdf`, target: '_blank' }, say('{title} (PDF)', { title }))), drawCorners()),
    !hasMat && drawCorners(),
    hasMat && h('p', { class: 'note' }, sayParts('Vander expects the A3 mat. For A4 start it with {settings}, for Letter with 235 and 165.', { settings: h('code', {}, 'VANDER_TRAY_WIDTH_MM=240 VANDER_TRAY_HEIGHT_MM=165') })),
  ];
}

const drawCorners = () => hasCorners && h('button', { type: 'button', id: 'tap-corners', 'data-key': 'corners', onclick: () => tapCorners(() => (findings = null)) }, say('My tray has no markers'));

function drawGames() {
  const own = dieSets.filter((one) => one.own);
  return [
    h('fieldset', { class: 'game-choices' }, h('legend', {}, say('The dice that come with')), games.map((one) =>
      h('label', { class: 'game-choice' }, h('input', { type: 'radio', name: 'game', value: one.name, checked: one.name === game?.name, 'data-key': `game-${one.name}`, onchange: () => choose(one) }),
        h('span', { class: 'game-title' }, one.title), drawDieSet(dieSets.find(({ name }) => name === one.die_set))))),
    own.length > 0 && h('section', { class: 'own-dice', 'aria-label': say('Your own dice') }, h('h2', {}, say('Your own dice')), h('ul', {}, own.map(drawOwn))),
    h('p', { class: 'note' }, say('Dice of another maker are asked about at first.'), hasDice && [' ', ...sayParts('{link} with signs that it has never seen.', { link: h('a', { href: '/dice' }, say('Teach Vander dice')) })]),
  ];
}

/** Draw the faces of a die set, and whether they can be read now. */
function drawDieSet(dieSet) {
  if (!dieSet) return null;
  const { isRead, word } = readingOf(dieSet);
  return [
    h('span', { class: 'set-faces' }, facesOf(dieSet).map(drawFace)),
    h('span', { class: isRead ? 'reading read' : 'reading' }, h('span', { 'aria-hidden': 'true' }, isRead ? '✓ ' : '✗ '), word),
  ];
}

/** Draw a face: as it was captured, as it is drawn, or its title. */
function drawFace({ face, title, picture }) {
  if (picture) return h('img', { src: capturedUrl(picture), alt: title });
  return hasDrawing(face) ? faceIcon(face) : titleIcon(title);
}

const drawOwn = (dieSet) => h('li', {}, h('span', { class: 'game-title' }, dieSet.title), drawDieSet(dieSet),
  !dieSet.version && h('a', { class: 'button', href: dieSetPage(dieSet.name, 'capture') }, say('Teach them')));

function choose(one) {
  game = one;
  names = initialNames(load('localStorage', NAMES_KEY), game);
  show();
}

function drawPlayers() {
  return [
    h('form', { id: 'names', onsubmit: (event) => { event.preventDefault(); goOn(); } },
      h('fieldset', {}, h('legend', {}, say('{game}: {seats} players, in the order round the table', { game: game.title, seats: seatRange(game) })), names.map(drawName),
        names.length < game.seats[1] && h('button', { type: 'button', class: 'quiet', id: 'add-player', 'data-key': 'add-player', onclick: addPlayer }, say('Add a player'))),
      h('button', { type: 'submit', hidden: true }, say('Start'))),
    h('p', { class: 'problem', role: 'alert' }, problem),
    urls.length > 0 && h('div', { class: 'join' }, h('img', { class: 'qr', src: '/join.svg', width: 168, height: 168, alt: say('QR code of {address}', { address: urls[0] }) }),
      h('p', {}, sayParts('Phones and tablets: scan this, or open {address}', { address: h('strong', {}, urls[0]) }))),
  ];
}

function drawName(name, seat) {
  const field = h('input', { class: 'name', 'data-key': `name-${seat}`, maxlength: LONGEST_NAME, autocomplete: 'off', autocapitalize: 'words', 'aria-label': seatName(seat), placeholder: seatName(seat), value: name });
  field.addEventListener('input', () => (names[seat] = /** @type {HTMLInputElement} */ (field).value));
  return field;
}

function addPlayer() {
  names = [...names, ''];
  show();
  [...page.querySelectorAll('input.name')].at(-1).focus();
}

async function start() {
  const players = filledNames(names);
  problem = namesProblem(players, game);
  show();
  if (problem) return;
  const begun = await orShowError(postJson('/api/game', { game: game.name, players, options: {}, step: '0.0' }), (error) => (problem = errorSentence(error)));
  if (!begun || problem) return show();
  store('localStorage', NAMES_KEY, JSON.stringify(names));
  if (camera === 'virtual') store('sessionStorage', TRAY_DRAWER, 'open');
  location.assign('/');
}

function goTo(next) {
  place = next;
  show();
  page.querySelector('h1').focus();
}

const goOn = () => (step() === 'players' ? start() : goTo(place + 1));

/** Examine the box again and again while a step shows what was found. */
async function follow() {
  for (;;) {
    await untilVisible();
    const answer = isExamined() ? await getJson('/api/doctor', EXAMINATION_MS).catch(() => null) : null;
    if (answer) ({ findings } = answer);
    show();
    await sleep(AGAIN_MS);
  }
}

async function begin() {
  const [snapshot, found, addresses, taught] = await Promise.all([getJson('/api/snapshot'), getJson('/api/games'), getJson('/api/addresses').catch(() => ({ urls: [] })), hasDice ? getJson('/api/teaching').catch(() => ({ dice: [] })) : { dice: [] }]);
  dieSets = taught.dice;
  camera = snapshot.camera.startsWith('virtual') ? 'virtual' : snapshot.camera;
  games = found.games.filter((one) => one.die_set);
  urls = addresses.urls;
  steps = stepsFor(camera, hasDoctor);
  choose(games.find((one) => one.die_set === found.die_sets[0]?.name) ?? games[0]);
  byId('back').addEventListener('click', () => place > 0 && goTo(place - 1));
  byId('next').addEventListener('click', goOn);
  showLiveView({ canvas: byId('view'), box: byId('picture'), notice: byId('no-view'), url: WHOLE });
  follow();
}

orShowError(begin());
