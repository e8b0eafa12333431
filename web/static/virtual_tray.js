// The virtual tray: a picture of it, and hands that choose, throw, carry, turn and knock off dice.

import { getJson, postJson } from './api.js';
import { closeButton, closeDialog, dialogTitle, openDialog } from './dialog.js';
import { byId, h, orShowError, redraw, toast } from './dom.js';
import { followTable, onSnapshot, publish } from './events.js';
import { DRAWN, showLiveView, sleep, untilVisible } from './live_view.js';
import { say } from './say.js';
import { NO_THROW, areWrong, askedNext, awaitedInstead, doubtedDice, isUnderWay, putBack } from './virtual_tray_view.js';

const FRAME_MS = 100;
const POLL_MS = 400;
const SLIP_PX = 8; // a finger that moves less than this has tapped
const STEP = 0.02;
const TWIST_DEGREES = 30;
/** A main button with more letters has them smaller, so that they stay in two lines. */
const LONG_WORDS = 36;
/** What the table says of a tray in which nothing moves. */
const AT_REST = 'quiet';

const picture = byId('picture');
/** The tray as from straight above: the camera's picture, and handles over its dice. */
const box = byId('straight');
const handles = byId('handles');
const shelf = byId('shelf');
/** The numbers of the chosen dice. */
const chosen = new Set();
let dice = [];
/** Leads from fractions of the camera's picture to those of the box. */
let straight = new DOMMatrix();
/** The newest snapshot of the table, and the throw, or the way to the bay, that it asks for. */
let snapshot = null;
let asked = null;
/** What was asked for when it was done: a second tap would throw its dice once more. */
let done = /** @type {import('./virtual_tray_view.js').Wish} */ ({});
/** After how many seconds of the tray all dice lie still, less than 0 since they do. */
let restsIn = 0;
/** The die that a pointer holds: its element, number, pointer, where it was pressed, and whether it has moved. */
let held = null;

/* The dice */

async function followDice() {
  for (;;) {
    await untilVisible();
    const answer = held || !picture.getClientRects().length ? null : await getJson('/api/tray/dice').catch(() => null); // without a picture the page says so already
    if (answer) {
      straighten(answer.straight);
      showTray(answer);
    }
    await sleep(POLL_MS);
  }
}

/** Lay the camera's picture over the box as from straight above. @param {number[]} rows of the homography */
function straighten([xx, xy, x, yx, yy, y, wx, wy, w]) {
  straight = new DOMMatrix([xx, yx, 0, wx, xy, yy, 0, wy, 0, 0, 1, 0, x, y, 0, w]);
  const { clientWidth: width, clientHeight: height } = box;
  if (!width || !height) return; // hidden while the answer was on its way
  byId('view').style.transform = String(new DOMMatrix().scale(width, height).multiply(straight).scale(1 / width, 1 / height));
}

function through(matrix, { x, y }) {
  const to = matrix.transformPoint({ x, y });
  return { x: to.x / to.w, y: to.y / to.w };
}

function showTray(answer) {
  restsIn = answer.rests_in;
  showDice(answer.dice);
}

/** Put a handle over every die, keeping the elements that are there, so that a finger never loses its die. */
function showDice(found) {
  if (held) return;
  dice = found;
  const numbers = new Set(found.map((die) => die.number));
  for (const number of chosen) if (!numbers.has(number)) chosen.delete(number);
  const there = new Map([...handles.children].map((handle) => [Number(handle.dataset.die), handle]));
  for (const die of found.filter((one) => one.place !== 'off')) {
    const handle = there.get(die.number) ?? handles.appendChild(newHandle(die.number));
    there.delete(die.number);
    place(handle, die);
  }
  for (const handle of there.values()) handle.remove();
  picture.classList.toggle('wide', snapshot?.extras.table === AT_REST && found.some((die) => die.place === 'out'));
  showShelf(found.filter((die) => die.place === 'off'));
  showAsked();
  showChosen();
}

function newHandle(number) {
  const handle = h('button', { type: 'button', class: 'handle', 'data-die': number, 'aria-label': say('Die {number}', { number }) });
  handle.addEventListener('keydown', (event) => onKey(event, number));
  makeDraggable(handle, number);
  return handle;
}

function place(handle, { x, y, edge }) {
  const wide = through(straight, { x: x + edge / 2, y }).x - through(straight, { x: x - edge / 2, y }).x;
  put(handle, through(straight, { x, y }));
  handle.style.width = `${wide * 160}%`;
  handle.style.setProperty('--edge', wide);
}

/** Move a handle by translation: what follows the dice moves nothing of the page. */
function put(handle, { x, y }) {
  handle.style.translate = `calc(${x * 100}cqw - 50%) calc(${y * 100}cqh - 50%)`;
}

const showShelf = (fallen) => redraw(shelf, fallen.map((die) => die.number), (numbers) =>
  numbers.length > 0 && [say('Off the table:'), ...numbers.map((number) => newChip(number))]);

function newChip(number) {
  const chip = h('button', { type: 'button', class: 'fallen', 'data-die': number, 'aria-label': say('Die {number}, off the table', { number }) }, say('Die {number}', { number }));
  makeDraggable(chip, number);
  return chip;
}

function showChosen() {
  for (const handle of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.handle, .fallen'))) {
    handle.setAttribute('aria-pressed', String(chosen.has(Number(handle.dataset.die))));
  }
  byId('throw-chosen').disabled = !chosen.size;
  byId('throw-chosen').textContent = chosen.size ? say('Throw chosen ({count})', { count: chosen.size }) : say('Throw chosen');
  for (const name of ['tip', 'twist', 'knock-off']) byId(name).disabled = !chosen.size;
  byId('throw-all').disabled = !dice.length;
}

/** Say on the first button what hands may do now, and mark its dice and those in doubt. It is the main one unless most people tap something of the table's page. */
function showAsked() {
  asked = askedNext(snapshot, dice);
  const isMain = !document.querySelector('#offers .next button');
  const button = byId('throw-asked');
  button.textContent = asked?.title ?? (isMain ? awaitedInstead(snapshot) : NO_THROW);
  const isBusy = isUnderWay(done, wish(), restsIn);
  button.disabled = !asked?.numbers.length || isBusy;
  button.setAttribute('aria-busy', String(isBusy));
  button.classList.toggle('main', isMain);
  button.classList.toggle('wordy', button.textContent.length > LONG_WORDS);
  const doubted = doubtedDice(snapshot, dice);
  for (const handle of /** @type {NodeListOf<HTMLElement>} */ (handles.querySelectorAll('.handle'))) {
    const number = Number(handle.dataset.die);
    handle.classList.toggle('doubtful', doubted.includes(number));
    handle.classList.toggle('asked', isMain && Boolean(asked) && asked.numbers.length < dice.length && asked.numbers.includes(number));
  }
  byId('lay-back').classList.toggle('strong', areWrong(snapshot));
}

function toggle(number) {
  if (!chosen.delete(number)) chosen.add(number);
  showChosen();
}

/* Dragging */

/** Return the handle whose middle is nearest: handles are as large as a finger, so that those of dice that touch overlap. */
function nearestHandle({ clientX, clientY }) {
  const distance = (handle) => {
    const { x, y, width, height } = handle.getBoundingClientRect();
    return Math.hypot(clientX - x - width / 2, clientY - y - height / 2);
  };
  return [...handles.children].reduce((one, other) => (distance(other) < distance(one) ? other : one));
}

function makeDraggable(element, number) {
  element.addEventListener('pointerdown', (event) => {
    if (held || event.button > 0) return;
    const taken = element.parentElement === handles ? nearestHandle(event) : element;
    taken.setPointerCapture(event.pointerId);
    held = { element: taken, number: Number(taken.dataset.die), pointer: event.pointerId, from: [event.clientX, event.clientY], moved: false };
  });
  element.addEventListener('pointermove', onDrag);
  element.addEventListener('pointerup', onDrop);
  element.addEventListener('pointercancel', release);
  element.addEventListener('click', (event) => event.detail === 0 && toggle(number));
}

function onDrag(event) {
  if (held?.pointer !== event.pointerId) return;
  const [x, y] = held.from;
  if (!held.moved && Math.hypot(event.clientX - x, event.clientY - y) < SLIP_PX) return;
  held.moved = true;
  held.element.classList.add('held');
  if (held.element.parentElement === handles) put(held.element, placeOf(event));
}

const clampToTray = (value) => Math.min(Math.max(value, 0), 1);

const dieOf = (number) => dice.find((die) => die.number === number);

/** Return where a pointer is in the box. */
function placeOf({ clientX, clientY }) {
  const { left, top, width, height } = box.getBoundingClientRect();
  return { x: (clientX - left) / width, y: (clientY - top) / height };
}

/** Return the place of the camera's picture at which a die is let go. */
function placeSeen(event) {
  const { x, y } = through(straight.inverse(), placeOf(event));
  return { x: clampToTray(x), y: clampToTray(y) };
}

async function onDrop(event) {
  if (held?.pointer !== event.pointerId) return;
  const { number, moved } = held;
  if (!moved) {
    release(event);
    toggle(number);
    return;
  }
  held.pointer = null;
  await holdUntil(postJson('/api/tray/move', { die: number, ...placeSeen(event) }));
}

function release(event) {
  if (held?.pointer !== event.pointerId) return;
  held.element.classList.remove('held');
  held = null;
  showDice(dice);
}

/** Hold the die until the tray has answered, so that its handle does not jump back. */
async function holdUntil(moved) {
  const { element } = held;
  const found = await orShowError(moved);
  element.classList.remove('held');
  held = null;
  if (found) showTray(found);
  else showDice(dice);
}

const ARROWS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };

/** A key on a die: arrows carry it, O turns it over, T turns it, and with Shift turns it back. */
async function onKey(event, number) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const step = ARROWS[event.key];
  const key = event.key.toLowerCase();
  if (!step && key !== 'o' && key !== 't') return;
  event.preventDefault();
  if (step) await nudge(step, number);
  else if (key === 'o') await change('tip', { die: number });
  else await change('twist', { die: number, degrees: event.shiftKey ? -TWIST_DEGREES : TWIST_DEGREES });
}

async function nudge(step, number) {
  const die = dieOf(number);
  await change('move', { die: number, x: clampToTray(die.x + step[0]), y: clampToTray(die.y + step[1]) });
}

/* The buttons */

/** Do something to the tray and show its dice; return true if it was done. */
async function change(endpoint, body) {
  const found = await orShowError(postJson(`/api/tray/${endpoint}`, body));
  if (found) showTray(found);
  return Boolean(found);
}

async function throwDice(numbers) {
  if (await change('throw', { dice: numbers })) chosen.clear();
  showChosen();
}

/** Return what is asked for, and at which step of the game. */
const wish = () => ({ step: snapshot?.extras.step, title: asked?.title, offer: asked?.offer, leans: asked?.leans });

/** Throw what is asked for, once, or carry it to the bay: until it is ruled on there is nothing to tap. */
async function doAsked() {
  done = wish();
  restsIn = Infinity; // until the tray has said it
  const thrown = asked.does ? change(asked.does, { dice: asked.numbers }) : throwDice(asked.numbers);
  showAsked();
  await thrown;
}

async function layBack() {
  const found = await putBack();
  if (found) showTray(found);
}

async function changeChosen(endpoint, body = {}) {
  for (const number of [...chosen]) if (!(await change(endpoint, { die: number, ...body }))) return;
}

async function knockOff() {
  for (const number of [...chosen]) if (await change('knock-off', { die: number })) chosen.delete(number);
  showChosen();
}

async function toggleHand() {
  const inside = byId('hand').getAttribute('aria-pressed') === 'false';
  if (!(await change('hand', { inside }))) return;
  byId('hand').setAttribute('aria-pressed', String(inside));
  byId('hand').textContent = inside ? say('Hand out') : say('Hand in');
}

async function setOut() {
  chosen.clear();
  const [set, look] = [byId('die-set'), byId('look')];
  if (!(await change('set-out', { set: set.value, look: look.value }))) return;
  toast(say('Put out: {dice}, drawn by {artist}.', { dice: set.selectedOptions[0].text, artist: look.selectedOptions[0].text }));
}

/** Fill the lists of die sets and looks whenever they become visible, with those in the tray selected. */
async function showCatalog() {
  if (!byId('catalog').open) return;
  const catalog = await orShowError(getJson('/api/tray/cupboard'), () => toast(say('The table did not answer. Open this again in a moment.')));
  if (!catalog) return;
  fillList(byId('die-set'), catalog.sets, catalog.out.set);
  fillList(byId('look'), catalog.looks, catalog.out.look);
}

function fillList(list, entries, selected) {
  list.replaceChildren(...entries.map(({ name, title }) => h('option', { value: name }, title)));
  list.value = selected;
}

async function setTrouble(event) {
  const kind = event.target.dataset.kind;
  if (kind === undefined || !(await change('trouble', { kind }))) return;
  press(byId('troubles'), (button) => button === event.target);
}

/** Mark the buttons of a group as pressed, or not. */
function press(group, isPressed) {
  for (const button of group.children) button.setAttribute('aria-pressed', String(isPressed(button)));
}

/* Staging */

const GROUPS = { cheat: say('Cheats'), mishap: say('Mishaps') };

/** Open the sheet with all that can be staged, with the chosen dice or with all in the field. */
async function showSituations() {
  const answer = await orShowError(getJson('/api/tray/situations'));
  if (!answer) return;
  const groups = Object.entries(GROUPS).map(([intent, title]) => h('section', { class: 'situations', 'aria-label': title },
    h('h3', {}, title),
    answer.situations.filter((situation) => situation.intent === intent).map(situationButton)));
  openDialog(dialogTitle(say('Stage a cheat or a mishap')), h('p', {}, castSentence()), groups, closeButton(say('Close')));
}

const castSentence = () => (chosen.size ? say('Played with the chosen dice: {dice}.', { dice: [...chosen].sort((a, b) => a - b).join(', ') }) : say('Played with all dice in the field. Choose dice first to play it with those.'));

function situationButton(situation) {
  return h('button', { type: 'button', class: 'situation', 'data-situation': situation.name, onclick: () => stageSituation(situation) }, situation.title);
}

async function stageSituation({ name, title }) {
  closeDialog();
  if (await change('stage', { name, dice: [...chosen] })) toast(say('Now: {title}.', { title }));
  chosen.clear();
  showChosen();
}

byId('stage').addEventListener('click', showSituations);
byId('throw-asked').addEventListener('click', doAsked);
byId('lay-back').addEventListener('click', layBack);
byId('throw-chosen').addEventListener('click', () => throwDice([...chosen]));
byId('throw-all').addEventListener('click', () => throwDice(dice.map((die) => die.number)));
byId('tip').addEventListener('click', () => changeChosen('tip'));
byId('twist').addEventListener('click', () => changeChosen('twist', { degrees: TWIST_DEGREES }));
byId('catalog').addEventListener('toggle', showCatalog);
byId('knock-off').addEventListener('click', knockOff);
byId('hand').addEventListener('click', toggleHand);
byId('set-out').addEventListener('click', setOut);
byId('troubles').addEventListener('click', setTrouble);
showLiveView({ canvas: byId('view'), box, notice: byId('no-view'), url: DRAWN, frameMs: FRAME_MS });
onSnapshot((newest) => {
  snapshot = newest;
  showAsked();
});
followDice();
// Next to the table, the table's page follows it.
if (!byId('tray-drawer')) followTable({ onSnapshot: publish, onLost: () => {}, onSlept: () => {} });
