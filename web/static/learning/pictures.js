// Pictures of dice: a grid to choose from, many at once, and a word to say about them. For a die set, and for the queue.

import { tell } from '../api.js';
import { byId, h, redraw, toast } from '../dom.js';
import { confirm } from '../dialog.js';
import { captured, counted, deskOf, faceButtons, facesOf, isSame, look, moment, pageOf, whenSeen } from './face_elements.js';

const SLIP_PX = 10;
const MOST_LIKELY = 3;
const MOST_QUEUED = 60;
const MOST_TOLD = 500;

const page = byId('pictures-page');
const name = page.dataset.dice;
const queued = !name;
const asked = new URLSearchParams(location.search);
const face = { kind: asked.get('kind') ?? '', face: asked.get('face') ?? '' };
const chosen = new Set();
let sets = [];
let dice = null;
let pictures = [];
let waiting = 0;

/* What is there */

async function refresh() {
  const found = await (queued ? lookAtQueue() : lookAtSet());
  if (!found) return;
  pictures = found;
  const there = new Set(pictures.map(({ picture }) => picture));
  for (const picture of chosen) if (!there.has(picture)) chosen.delete(picture);
  show();
}

async function lookAtSet() {
  const [set, found] = await Promise.all([look(deskOf(name)), look(deskOf(name, `pictures?${new URLSearchParams(face)}`))]);
  dice = set?.dice ?? dice;
  return dice && found?.pictures;
}

async function lookAtQueue() {
  const [overview, found] = await Promise.all([look('/api/teaching'), look(`/api/teaching/queue?most=${MOST_QUEUED}`)]);
  if (!overview || !found) return null;
  const named = new Set(found.pictures.map((one) => one.dice));
  waiting = overview.queued;
  sets = overview.dice.filter((set) => named.has(set.name));
  dice = sets.find((set) => set.name === dice?.name) ?? sets[0] ?? null;
  return found.pictures;
}

const inGrid = () => (queued ? pictures.filter((one) => one.dice === dice?.name) : pictures);

function show() {
  page.classList.remove('waiting');
  redraw(byId('filter'), { dice, sets, face, waiting, count: inGrid().length }, drawFilter);
  redraw(byId('grid'), { grid: inGrid(), dice: dice?.name }, drawGrid);
  mark();
}

/* Which pictures */

function drawFilter({ count }) {
  const all = () => choose(inGrid().map(({ picture }) => picture));
  return [
    h('div', { class: 'heading' }, h('h1', {}, heading(count)),
      count > 0 && h('button', { type: 'button', class: 'quiet', id: 'all', onclick: all }, 'Choose all')),
    queued ? setTabs() : faceTabs(),
    queued && waiting > pictures.length && h('p', { class: 'told' }, `Of ${waiting} that wait these come first, the most doubtful.`),
    count > 0 && h('p', { class: 'told' }, queued
      ? 'Tap what a die shows. Or choose several, by tap or by a stroke across, and say it once for all.'
      : 'Choose pictures, by tap or by a stroke across, to move them to another face or throw them away.'),
  ];
}

function heading(count) {
  if (queued) return count ? counted(count, 'doubtful picture') : 'Nothing waits for a word';
  const which = dice.faces.find((one) => isSame(one, face));
  return which ? `${which.title}: ${counted(count, 'picture')}` : counted(count, 'picture');
}

function setTabs() {
  if (sets.length < 2) return null;
  const open = (set) => {
    dice = set;
    choose([]);
    show();
  };
  return h('div', { class: 'tabs' }, sets.map((set) =>
    h('button', { type: 'button', 'aria-pressed': String(set.name === dice.name), 'data-key': `set-${set.name}`, onclick: () => open(set) }, set.title)));
}

function faceTabs() {
  const tab = (words, one) => h('a', { class: 'button quiet', href: pageOf(name, 'pictures', one), 'aria-current': isSame(one, face) || (!one.face && !face.face) ? 'true' : null }, words);
  return h('nav', { class: 'tabs', 'aria-label': 'Faces' }, tab('All', {}), dice.kinds.map((kind) =>
    facesOf(dice, kind.name).map((one) => tab(`${one.title} ${one.pictures}`, { kind: one.kind, face: one.face })))
    .flat());
}

/* The grid */

function drawGrid({ grid }) {
  if (!grid.length) return h('p', { class: 'none' }, queued ? 'Every picture has its word. Play on, or capture more.' : 'There are no pictures here yet.');
  return h('div', { class: queued ? 'tiles asking' : 'tiles' }, grid.map(drawTile));
}

function drawTile(one) {
  const said = one.said?.title ?? (one.read ? `Looks like ${one.read.title}` : 'Not read');
  return h('div', { class: 'tile', 'data-picture': one.picture },
    h('button', { type: 'button', class: 'pick', 'data-key': one.picture, 'aria-pressed': 'false', 'aria-label': `Choose: ${said}`, title: [one.by, moment(one.at)].filter(Boolean).join(', ') },
      h('img', { src: captured(one.picture), alt: '', loading: 'lazy', draggable: 'false' })),
    queued ? h('div', { class: 'likely' }, one.likely.slice(0, MOST_LIKELY).map((likely) => drawLikely(one, likely))) : h('p', { class: 'said' }, said, mistaken(one)));
}

const mistaken = ({ said, read }) => said && read && !isSame(said, read) && h('em', {}, `read as ${read.title}`);

function drawLikely(one, likely) {
  return h('button', { type: 'button', 'data-face': likely.face, onclick: () => label([one.picture], likely) },
    h('span', {}, likely.title), h('small', {}, `${Math.round(100 * likely.share)} %`));
}

/* Choosing: by tap, by a stroke across, or all at once */

function choose(names) {
  chosen.clear();
  for (const picture of names) chosen.add(picture);
  mark();
}

function put(picture, on) {
  if (on) chosen.add(picture);
  else chosen.delete(picture);
  mark();
}

function mark() {
  for (const tile of byId('grid').querySelectorAll('.tile')) {
    tile.querySelector('.pick').setAttribute('aria-pressed', String(chosen.has(tile.dataset.picture)));
  }
  redraw(byId('chosen'), { count: chosen.size, dice: chosen.size ? dice : null }, drawChosen);
}

let stroke = null;

const tileAt = (x, y) => document.elementFromPoint(x, y)?.closest('#grid .tile');

function press(event) {
  const tile = event.target.closest('.pick')?.closest('.tile');
  stroke = tile && event.button === 0 ? { picture: tile.dataset.picture, on: !chosen.has(tile.dataset.picture), from: [event.clientX, event.clientY], drawn: false } : null;
}

function draw(event) {
  if (!stroke) return;
  const [x, y] = stroke.from;
  if (!stroke.drawn && Math.hypot(event.clientX - x, event.clientY - y) < SLIP_PX) return;
  if (!stroke.drawn) put(stroke.picture, stroke.on);
  stroke.drawn = true;
  const tile = tileAt(event.clientX, event.clientY);
  if (tile) put(tile.dataset.picture, stroke.on);
}

/** The end of a stroke is no tap on the picture that it ended upon. */
function tap(event) {
  const tile = event.target.closest('.pick')?.closest('.tile');
  const stroked = stroke?.drawn;
  stroke = null;
  if (tile && !stroked) put(tile.dataset.picture, !chosen.has(tile.dataset.picture));
}

byId('grid').addEventListener('pointerdown', press);
addEventListener('pointermove', draw);
addEventListener('pointercancel', () => (stroke = null));
addEventListener('pointerup', () => setTimeout(() => (stroke = null)));
byId('grid').addEventListener('click', tap);

/* What to do with the chosen ones */

function drawChosen({ count }) {
  document.body.classList.toggle('choosing', count > 0);
  if (!count) return [];
  const away = () => confirm(`Throw ${counted(count, 'picture')} away?`, 'They are gone for good.', 'Throw away', () => told('discard', {}, `${counted(count, 'picture')} thrown away.`));
  return h('div', { class: 'chosen' },
    h('div', { class: 'heading' }, h('p', {}, h('strong', {}, `${count} chosen`), queued ? ': what do they show?' : ': move them to'),
      h('div', { class: 'ends' },
        h('button', { type: 'button', class: 'quiet', id: 'none', onclick: () => choose([]) }, 'None'),
        h('button', { type: 'button', class: 'grave', id: 'discard', onclick: away }, 'Throw away'))),
    faceButtons(dice, (which) => label([...chosen], which)));
}

const label = (names, which) => told('label', { kind: which.kind, face: which.face }, `${counted(names.length, 'picture')} kept as ${which.title}.`, names);

/** Tell the desk about pictures, so many at a time as it takes. */
async function told(what, body, sentence, names = [...chosen]) {
  for (let first = 0; first < names.length; first += MOST_TOLD) {
    if (!(await tell(`/api/teaching/${what}`, { ...body, pictures: names.slice(first, first + MOST_TOLD) }))) return refresh();
  }
  for (const picture of names) chosen.delete(picture);
  toast(sentence);
  return refresh();
}

whenSeen(refresh);
