// Elements from values: no text ever becomes markup.

const SVG = 'http://www.w3.org/2000/svg';

/** An element: h('button', {class: 'main', onclick: f}, 'Throw'). Absent children (null, false, '') are left out. */
export function h(tag, properties = {}, ...children) {
  return dress(document.createElement(tag), properties, children);
}

/** The same for a drawing. */
export function s(tag, properties = {}, ...children) {
  return dress(document.createElementNS(SVG, tag), properties, children);
}

function dress(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== false && child !== undefined && child !== ''));
  return element;
}

export const byId = (id) => document.getElementById(id);

const shown = new WeakMap();

/** Draw a section anew when, and only when, its value has changed; the focus stays on the button that had it. */
export function redraw(section, value, draw) {
  const text = JSON.stringify(value);
  if (shown.get(section) === text) return;
  shown.set(section, text);
  const key = section.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  section.replaceChildren(...[draw(value)].flat(Infinity).filter(Boolean));
  if (key) section.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
}

/** The small tag that names a rule. */
export const ruleTag = (rule) => rule && h('span', { class: 'rule', 'aria-label': `rule ${rule}` }, rule);

/** The address of a picture that a snapshot named. */
export const picture = (name) => `/pictures/${encodeURIComponent(name)}.jpg`;

const place = byId('toast');
let toastTimer;

/** Say one sentence at the foot of the page for a while, above an open sheet too. */
export function toast(sentence, rule = '') {
  (document.querySelector('dialog[open]') ?? document.body).append(place);
  place.replaceChildren(h('p', {}, sentence, ' ', ruleTag(rule)));
  place.classList.add('up');
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => place.classList.remove('up'), 7000);
}
