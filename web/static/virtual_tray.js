// The virtual tray: a picture of it, and hands that choose, throw, carry, turn and knock off dice.

import { read, tell } from './api.js';
import { byId, h, toast } from './dom.js';

const FRAME_MS = 100;
const DICE_MS = 400;
const SLIP_PX = 8;
const STEP = 0.02;
const TWIST_DEGREES = 30;

const view = byId('view');
const scene = byId('picture');
const handles = byId('handles');
const shelf = byId('shelf');
const chosen = new Set();
let dice = [];
let held = null;

/* The picture */

const pause = (milliseconds) => new Promise((wake) => setTimeout(wake, milliseconds));
const inView = () =>
  document.hidden ? new Promise((wake) => document.addEventListener('visibilitychange', wake, { once: true })) : null;

async function watch() {
  for (let count = 0; ; count += 1) {
    await inView();
    const began = performance.now();
    const seen = await next(`/view.jpg?${count}`);
    byId('no-view').hidden = seen;
    scene.classList.toggle('dark', !seen);
    await pause(Math.max(seen ? FRAME_MS - (performance.now() - began) : 1000, 0));
  }
}

async function next(address) {
  const frame = new Image();
  frame.src = address;
  try {
    await frame.decode();
  } catch {
    return false;
  }
  scene.style.aspectRatio = `${frame.naturalWidth} / ${frame.naturalHeight}`;
  view.src = frame.src;
  return true;
}

/* The dice */

async function look() {
  for (;;) {
    await inView();
    try {
      if (!held) lay((await read('/api/tray/dice')).dice);
    } catch {
      // the picture's own sentence says that the table does not answer
    }
    await pause(DICE_MS);
  }
}

/** Put a handle over every die, keeping the elements that are there, so that a finger never loses its die. */
function lay(found) {
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
  layShelf(found.filter((die) => die.place === 'off'));
  mark();
}

function newHandle(number) {
  const handle = h('button', { type: 'button', class: 'handle', 'data-die': number, 'aria-label': `Die ${number}` });
  handle.addEventListener('keydown', (event) => byKey(event, number));
  carry(handle, number);
  return handle;
}

function place(handle, { x, y, edge }) {
  handle.style.left = `${x * 100}%`;
  handle.style.top = `${y * 100}%`;
  handle.style.width = `${edge * 160}%`;
}

function layShelf(fallen) {
  const text = JSON.stringify(fallen.map((die) => die.number));
  if (shelf.dataset.shown === text) return;
  shelf.dataset.shown = text;
  shelf.replaceChildren(...(fallen.length ? ['Off the table:', ...fallen.map((die) => newFallen(die.number))] : []));
}

function newFallen(number) {
  const chip = h('button', { type: 'button', class: 'fallen', 'data-die': number, 'aria-label': `Die ${number}, off the table` }, `Die ${number}`);
  carry(chip, number);
  return chip;
}

function mark() {
  for (const handle of document.querySelectorAll('.handle, .fallen')) {
    handle.setAttribute('aria-pressed', String(chosen.has(Number(handle.dataset.die))));
  }
  byId('throw-chosen').disabled = !chosen.size;
  byId('throw-chosen').textContent = chosen.size ? `Throw chosen (${chosen.size})` : 'Throw chosen';
  for (const name of ['tip', 'twist', 'knock-off']) byId(name).disabled = !chosen.size;
  byId('throw-all').disabled = !dice.length;
}

function toggle(number) {
  if (!chosen.delete(number)) chosen.add(number);
  mark();
}

/* Carrying */

function carry(element, number) {
  element.addEventListener('pointerdown', (event) => {
    if (held || event.button > 0) return;
    element.setPointerCapture(event.pointerId);
    held = { element, number, pointer: event.pointerId, from: [event.clientX, event.clientY], moved: false };
  });
  element.addEventListener('pointermove', drag);
  element.addEventListener('pointerup', drop);
  element.addEventListener('pointercancel', letGo);
  element.addEventListener('click', (event) => event.detail === 0 && toggle(number));
}

function drag(event) {
  if (held?.pointer !== event.pointerId) return;
  const [x, y] = held.from;
  if (!held.moved && Math.hypot(event.clientX - x, event.clientY - y) < SLIP_PX) return;
  held.moved = true;
  held.element.classList.add('held');
  if (held.element.parentElement === handles) place(held.element, { ...where(event), edge: dieOf(held.number).edge });
}

const dieOf = (number) => dice.find((die) => die.number === number);

function where(event) {
  const box = scene.getBoundingClientRect();
  const share = (value) => Math.min(Math.max(value, 0), 1);
  return { x: share((event.clientX - box.left) / box.width), y: share((event.clientY - box.top) / box.height) };
}

async function drop(event) {
  if (held?.pointer !== event.pointerId) return;
  const { number, moved } = held;
  if (!moved) {
    letGo(event);
    toggle(number);
    return;
  }
  held.pointer = null;
  await settle(tell('/api/tray/move', { die: number, ...where(event) }));
}

function letGo(event) {
  if (held?.pointer !== event.pointerId) return;
  held.element.classList.remove('held');
  held = null;
  lay(dice);
}

/** Keep the die in the hand until the tray has answered, so that its handle does not jump back. */
async function settle(answer) {
  const { element } = held;
  const found = await answer;
  element.classList.remove('held');
  held = null;
  lay(found?.dice ?? dice);
}

const ARROWS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };

/** A key on a die: arrows carry it, O turns it over, T turns it, and with Shift turns it back. */
async function byKey(event, number) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const step = ARROWS[event.key];
  const key = event.key.toLowerCase();
  if (!step && key !== 'o' && key !== 't') return;
  event.preventDefault();
  if (step) await nudge(step, number);
  else if (key === 'o') await ask('tip', { die: number });
  else await ask('twist', { die: number, degrees: event.shiftKey ? -TWIST_DEGREES : TWIST_DEGREES });
}

async function nudge(step, number) {
  const die = dieOf(number);
  const within = (value) => Math.min(Math.max(value, 0), 1);
  await ask('move', { die: number, x: within(die.x + step[0]), y: within(die.y + step[1]) });
}

/* The buttons */

async function ask(what, body) {
  const found = await tell(`/api/tray/${what}`, body);
  if (found) lay(found.dice);
  return Boolean(found);
}

async function throwThese(numbers) {
  if (await ask('throw', { dice: numbers })) chosen.clear();
  mark();
}

async function turn(what, body = {}) {
  for (const number of [...chosen]) if (!(await ask(what, { die: number, ...body }))) return;
}

async function knockOff() {
  for (const number of [...chosen]) if (await ask('knock-off', { die: number })) chosen.delete(number);
  mark();
}

async function reach() {
  const inside = byId('hand').getAttribute('aria-pressed') === 'false';
  if (!(await ask('hand', { inside }))) return;
  byId('hand').setAttribute('aria-pressed', String(inside));
  byId('hand').textContent = inside ? 'Hand out' : 'Hand in';
}

async function putOut() {
  chosen.clear();
  const [set, look] = [byId('die-set'), byId('look')];
  if (!(await ask('set-out', { set: set.value, look: look.value }))) return;
  toast(`Put out: ${set.selectedOptions[0].text}, drawn by ${look.selectedOptions[0].text}.`);
}

/** Fill the two lists of what can be put out whenever they come into sight, with what is out now chosen. */
async function openCupboard() {
  if (!byId('cupboard').open) return;
  try {
    const { sets, looks, out } = await read('/api/tray/cupboard');
    offer(byId('die-set'), sets, out.set);
    offer(byId('look'), looks, out.look);
  } catch {
    toast('The table did not answer. Open this again in a moment.');
  }
}

function offer(list, found, now) {
  list.replaceChildren(...found.map(({ name, title }) => h('option', { value: name }, title)));
  list.value = now;
}

async function makeTrouble(event) {
  const kind = event.target.dataset.kind;
  if (kind === undefined || !(await ask('trouble', { kind }))) return;
  for (const button of byId('troubles').children) button.setAttribute('aria-pressed', String(button === event.target));
}

byId('throw-chosen').addEventListener('click', () => throwThese([...chosen]));
byId('throw-all').addEventListener('click', () => throwThese(dice.map((die) => die.number)));
byId('tip').addEventListener('click', () => turn('tip'));
byId('twist').addEventListener('click', () => turn('twist', { degrees: TWIST_DEGREES }));
byId('cupboard').addEventListener('toggle', openCupboard);
byId('knock-off').addEventListener('click', knockOff);
byId('hand').addEventListener('click', reach);
byId('set-out').addEventListener('click', putOut);
byId('troubles').addEventListener('click', makeTrouble);
watch();
look();
