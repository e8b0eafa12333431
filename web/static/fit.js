// Content that is made to fit its fixed place: drawn smaller where it would not fit, so that nothing scrolls.

const STEP = 0.04;
const GAP = 6;

/** Return the largest zoom of 1 and less, in steps, at which content is not too large. @param {(zoom: number) => boolean} isTooLarge @param {number} smallest @returns {number} */
export function fittingZoom(isTooLarge, smallest) {
  if (!isTooLarge(1)) return 1;
  let low = 0;
  let high = Math.round((1 - smallest) / STEP);
  while (low + 1 < high) {
    const middle = Math.floor((low + high) / 2);
    if (isTooLarge(1 - middle * STEP)) low = middle;
    else high = middle;
  }
  return Math.round((1 - high * STEP) * 100) / 100;
}

/**
 * @typedef {{most: number, least: number, frame: {width: number, height: number}, under: number, heading?: number}} DiceLimits
 * `frame` is what a zone takes beside its dice, `under` the height of what stands under a die, `heading` the width of a zone's heading
 */

/**
 * Return how large dice of several zones may be drawn in a place, and how many of each zone stand side by side. Zones stand
 * next to each other with equally many rows, or follow each other like words, whichever lets the dice be larger.
 * @param {number[]} counts of dice in each zone @param {{width: number, height: number}} place @param {DiceLimits} limits
 * @returns {{edge: number, across: number[]}}
 */
export function diceLayout(counts, place, limits) {
  for (let edge = limits.most; edge > limits.least; edge -= 2) {
    const across = acrossAt(edge, counts, place, limits);
    if (across) return { edge, across };
  }
  return { edge: limits.least, across: likeWords(limits.least, counts, place, limits) };
}

/** Return how many dice of each zone stand side by side at an edge, null if they do not fit. */
function acrossAt(edge, counts, place, limits) {
  for (let rows = 1; rows <= Math.max(1, ...counts); rows += 1) {
    const across = counts.map((count) => Math.ceil(count / rows));
    const width = across.reduce((sum, each) => sum + zoneWidth(each, edge, limits) + GAP, -GAP);
    if (width <= place.width && zoneHeight(rows, edge, limits) <= place.height) return across;
  }
  const across = likeWords(edge, counts, place, limits);
  return heightOf(counts, across, edge, place.width, limits) <= place.height ? across : null;
}

const zoneWidth = (across, edge, { frame, heading = 0 }) => Math.max(across * (edge + GAP) - GAP + frame.width, heading);
const zoneHeight = (rows, edge, { frame, under }) => rows * (edge + under + GAP) - GAP + frame.height;

function likeWords(edge, counts, { width }, { frame }) {
  const room = Math.max(1, Math.floor((width - frame.width + GAP) / (edge + GAP)));
  return counts.map((count) => Math.min(count, room));
}

function heightOf(counts, across, edge, width, limits) {
  let height = 0;
  let line = 0;
  let used = 0;
  counts.forEach((count, zone) => {
    const wide = zoneWidth(across[zone], edge, limits);
    if (used && used + GAP + wide > width) {
      height += line + GAP;
      line = used = 0;
    }
    used += (used ? GAP : 0) + wide;
    line = Math.max(line, zoneHeight(Math.ceil(count / across[zone]), edge, limits));
  });
  return height + line;
}

/** For each element what fits it, and the place that it was fitted to last: a zoom changes its size, not its place. */
const watched = new WeakMap();
const observer = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver((entries) => entries.forEach(({ target }) => {
  const { apply, place } = watched.get(target);
  if (place !== placeOf(target)) apply();
}));

function placeOf(element) {
  const { width, height } = element.getBoundingClientRect();
  return `${width} ${height}`;
}

/**
 * Draw an element's content as large as fits, now and whenever the element changes its size. Below the zoom `legible` the
 * element is `short` first: its style leaves out what is less wanted. Only what fits at no zoom scrolls: the bars that a
 * too large zoom brings would take up room and stay.
 * @param {HTMLElement} element @param {number} smallest zoom @param {number} legible @returns {void}
 */
export function fit(element, smallest = 0.5, legible = 0) {
  const apply = () => {
    const set = (zoom) => {
      element.style.setProperty('zoom', zoom === 1 ? '' : String(zoom));
      element.style.setProperty('--zoom', String(zoom));
      element.style.setProperty('--least', `${12 / zoom}px`); // letters of 12 px as drawn
    };
    const isTooLarge = (zoom) => {
      set(zoom);
      return element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1;
    };
    const draw = (isShort) => {
      element.classList.toggle('short', isShort);
      const zoom = fittingZoom(isTooLarge, smallest);
      set(zoom);
      return zoom;
    };
    element.style.overflow = 'hidden';
    const whole = draw(false);
    if (isTooLarge(whole < legible ? draw(true) : whole)) element.style.overflow = '';
    watched.set(element, { apply, place: placeOf(element) });
  };
  if (!watched.has(element)) observer?.observe(element);
  apply();
}
