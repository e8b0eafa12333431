// Pictures of dice: a grid to choose from, many at once, and a label for the chosen ones. For a die set, and for the queue.

import { AnswerOrder, capturedUrl, dieSetApi, dieSetPage, getJson, postJson } from '../api.js';
import { confirmDialog } from '../dialog.js';
import { byId, h, orShowError, redraw, toast } from '../dom.js';
import { dateTime } from '../format.js';
import { whenVisible } from '../live_view.js';
import { say, sayCount, sayParts } from '../say.js';
import { faceButtons, facesOfKind, isSameFace } from './face_elements.js';

const SLIP_PX = 10; // a finger that moves less than this has tapped
const MOST_SUGGESTIONS = 3;
const MOST_QUEUED = 60;
const MOST_PER_REQUEST = 500;

const page = byId('pictures-page');
const name = page.dataset.dice;
const isQueue = !name;
const query = new URLSearchParams(location.search);
/** The face whose pictures are shown; '' for all. */
const faceShown = { kind: query.get('kind') ?? '', face: query.get('face') ?? '' };
/** The names of the chosen pictures. */
const chosen = new Set();
let dieSets = [];
let dieSet = null;
let pictures = [];
let queuedCount = 0;
const order = new AnswerOrder();

async function refresh() {
  const found = await (isQueue ? fetchQueue() : fetchPictures());
  if (!found) return;
  pictures = found;
  const there = new Set(pictures.map(({ picture }) => picture));
  for (const picture of chosen) if (!there.has(picture)) chosen.delete(picture);
  show();
}

async function fetchPictures() {
  const answers = await order.look(Promise.all([
    orShowError(getJson(dieSetApi(name))),
    orShowError(getJson(dieSetApi(name, `pictures?${new URLSearchParams(faceShown)}`))),
  ]));
  if (!answers) return null;
  const [set, found] = answers;
  dieSet = set?.dice ?? dieSet;
  return dieSet && found?.pictures;
}

async function fetchQueue() {
  const answers = await order.look(Promise.all([
    orShowError(getJson('/api/teaching')),
    orShowError(getJson(`/api/teaching/queue?most=${MOST_QUEUED}`)),
  ]));
  const [overview, found] = answers ?? [];
  if (!overview || !found) return null;
  const named = new Set(found.pictures.map((one) => one.dice));
  queuedCount = overview.queued;
  dieSets = overview.dice.filter((set) => named.has(set.name));
  dieSet = dieSets.find((set) => set.name === dieSet?.name) ?? dieSets[0] ?? null;
  return found.pictures;
}

const picturesInGrid = () => (isQueue ? pictures.filter((one) => one.dice === dieSet?.name) : pictures);

function show() {
  page.classList.remove('waiting');
  redraw(byId('filter'), { dieSet, dieSets, queuedCount, count: picturesInGrid().length }, drawFilter);
  redraw(byId('grid'), { grid: picturesInGrid(), dieSet: dieSet?.name }, drawGrid);
  showChosen();
}

/* Which pictures */

function drawFilter({ count }) {
  const chooseAll = () => choose(picturesInGrid().map(({ picture }) => picture));
  return [
    h('div', { class: 'heading' }, h('h1', {}, heading(count)),
      count > 0 && h('button', { type: 'button', class: 'quiet', id: 'all', onclick: chooseAll }, say('Choose all'))),
    isQueue ? drawDieSetTabs() : drawFaceTabs(),
    isQueue && queuedCount > pictures.length && h('p', { class: 'note' }, say('Of {count} that wait these come first, the most doubtful.', { count: queuedCount })),
    count > 0 && h('p', { class: 'note' }, isQueue
      ? say('Tap what a die shows. Or choose several, by tap or by a stroke across, and say it once for all.')
      : say('Choose pictures, by tap or by a stroke across, to move them to another face or throw them away.')),
  ];
}

function heading(count) {
  if (isQueue) return count ? sayCount('{count} doubtful picture', '{count} doubtful pictures', count) : say('Nothing waits for a name');
  const face = dieSet.faces.find((one) => isSameFace(one, faceShown));
  const pictures = sayCount('{count} picture', '{count} pictures', count);
  return face ? `${face.title}: ${pictures}` : pictures;
}

function drawDieSetTabs() {
  if (dieSets.length < 2) return null;
  const open = (set) => {
    dieSet = set;
    choose([]);
    show();
  };
  return h('div', { class: 'tabs' }, dieSets.map((set) =>
    h('button', { type: 'button', 'aria-pressed': String(set.name === dieSet.name), 'data-key': `set-${set.name}`, onclick: () => open(set) }, set.title)));
}

function drawFaceTabs() {
  const isCurrent = (key) => isSameFace(key, faceShown) || (!key.face && !faceShown.face);
  const drawTab = (words, key) => h('a', { class: 'button quiet', href: dieSetPage(name, 'pictures', key), 'aria-current': isCurrent(key) ? 'true' : null }, words);
  const tabs = dieSet.kinds.flatMap((kind) =>
    facesOfKind(dieSet, kind.name).map((face) => drawTab(`${face.title} ${face.pictures}`, { kind: face.kind, face: face.face })));
  return h('nav', { class: 'tabs', 'aria-label': say('Faces') }, drawTab(say('All'), {}), tabs);
}

/* The grid */

function drawGrid({ grid }) {
  if (!grid.length) return h('p', { class: 'none' }, isQueue ? say('Every picture has its name. Play on, or capture more.') : say('There are no pictures here yet.'));
  return h('div', { class: isQueue ? 'tiles queue' : 'tiles' }, grid.map(drawTile));
}

function drawTile(one) {
  const label = one.said?.title ?? (one.read ? say('Looks like {face}', { face: one.read.title }) : say('Not read'));
  return h('div', { class: 'tile', 'data-picture': one.picture },
    h('button', { type: 'button', class: 'pick', 'data-key': one.picture, 'aria-pressed': 'false', 'aria-label': say('Choose: {what}', { what: label }), title: [one.by, dateTime(one.at)].filter(Boolean).join(', ') },
      h('img', { src: capturedUrl(one.picture), alt: '', loading: 'lazy', draggable: 'false' })),
    isQueue ? h('div', { class: 'suggestions' }, one.likely.slice(0, MOST_SUGGESTIONS).map((face) => drawSuggestion(one, face))) : h('p', { class: 'label' }, label, drawMisreading(one)));
}

const drawMisreading = ({ said, read }) => said && read && !isSameFace(said, read) && h('em', {}, say('read as {face}', { face: read.title }));

function drawSuggestion({ picture }, face) {
  return h('button', { type: 'button', 'data-face': face.face, onclick: () => labelPictures([picture], face) },
    h('span', {}, face.title), h('small', {}, `${Math.round(100 * face.share)} %`));
}

/* Choosing: by tap, by a stroke across, or all at once */

function choose(names) {
  chosen.clear();
  for (const picture of names) chosen.add(picture);
  showChosen();
}

function setChosen(picture, on) {
  if (on) chosen.add(picture);
  else chosen.delete(picture);
  showChosen();
}

function showChosen() {
  for (const tile of byId('grid').querySelectorAll('.tile')) {
    tile.querySelector('.pick').setAttribute('aria-pressed', String(chosen.has(tile.dataset.picture)));
  }
  redraw(byId('chosen'), { count: chosen.size, dieSet: chosen.size ? dieSet : null }, drawChosen);
}

/** The stroke under way: the picture it began on, whether it chooses, where it began, and whether it has moved. */
let stroke = null;

const pictureOf = (element) => element?.closest('.pick')?.closest('.tile')?.dataset.picture;

function onPointerDown(event) {
  const picture = pictureOf(event.target);
  stroke = picture && event.button === 0 ? { picture, on: !chosen.has(picture), from: [event.clientX, event.clientY], moved: false } : null;
}

function onPointerMove(event) {
  if (!stroke) return;
  const [x, y] = stroke.from;
  if (!stroke.moved && Math.hypot(event.clientX - x, event.clientY - y) < SLIP_PX) return;
  if (!stroke.moved) setChosen(stroke.picture, stroke.on);
  stroke.moved = true;
  const tile = /** @type {HTMLElement | null} */ (document.elementFromPoint(event.clientX, event.clientY)?.closest('#grid .tile'));
  if (tile) setChosen(tile.dataset.picture, stroke.on);
}

/** A click at the end of a stroke is not a tap on the picture under it. */
function onClick(event) {
  const picture = pictureOf(event.target);
  const isStroke = stroke?.moved;
  stroke = null;
  if (picture && !isStroke) setChosen(picture, !chosen.has(picture));
}

byId('grid').addEventListener('pointerdown', onPointerDown);
addEventListener('pointermove', onPointerMove);
addEventListener('pointercancel', () => (stroke = null));
addEventListener('pointerup', () => setTimeout(() => (stroke = null)));
byId('grid').addEventListener('click', onClick);

/* What to do with the chosen ones */

function drawChosen({ count }) {
  document.body.classList.toggle('choosing', count > 0);
  if (!count) return [];
  const discard = () => changePictures('discard', {}, [...chosen], sayCount('{count} picture thrown away.', '{count} pictures thrown away.', count));
  const confirmDiscard = () => confirmDialog(sayCount('Throw {count} picture away?', 'Throw {count} pictures away?', count), say('They are gone for good.'), say('Throw away'), discard);
  const chosenCount = h('strong', {}, say('{count} chosen', { count }));
  return h('div', { class: 'chosen' },
    h('div', { class: 'heading' }, h('p', {}, isQueue ? sayParts('{chosen}: what do they show?', { chosen: chosenCount }) : sayParts('{chosen}: move them to', { chosen: chosenCount })),
      h('div', { class: 'ends' },
        h('button', { type: 'button', class: 'quiet', id: 'none', onclick: () => choose([]) }, say('None')),
        h('button', { type: 'button', class: 'grave', id: 'discard', onclick: confirmDiscard }, say('Throw away')))),
    faceButtons(dieSet, (face) => labelPictures([...chosen], face)));
}

const labelPictures = (names, { kind, face, title }) => changePictures('label', { kind, face }, names, sayCount('{count} picture kept as {face}.', '{count} pictures kept as {face}.', names.length, { face: title }));

/** Send a change of pictures to the API, as many at a time as it takes. */
async function changePictures(endpoint, body, names, success) {
  for (let first = 0; first < names.length; first += MOST_PER_REQUEST) {
    const request = postJson(`/api/teaching/${endpoint}`, { ...body, pictures: names.slice(first, first + MOST_PER_REQUEST) });
    if (!(await orShowError(request))) return refresh();
  }
  for (const picture of names) chosen.delete(picture);
  toast(success);
  return refresh();
}

whenVisible(refresh);
