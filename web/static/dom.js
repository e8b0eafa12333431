// DOM elements made from values: no text ever becomes markup.

import { say } from './say.js';

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Create an HTML element: h('button', {class: 'main', onclick: f}, 'Throw'). Absent children (null, false, '') are left
 * out. @param {string} tag @param {Record<string, any>} properties @param {...any} children @returns {HTMLElement}
 */
export function h(tag, properties = {}, ...children) {
  return assemble(document.createElement(tag), properties, children);
}

/** Create an SVG element. @param {string} tag @param {Record<string, any>} properties @param {...any} children @returns {SVGElement} */
export function svg(tag, properties = {}, ...children) {
  return assemble(document.createElementNS(SVG, tag), properties, children);
}

function assemble(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== false && child !== undefined && child !== ''));
  return element;
}

/** Return the element with this id. @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

const drawnValues = new WeakMap();

/**
 * Draw a section if its value has changed since it was drawn last; the focus stays on the element with the same
 * data-key. @param {HTMLElement} section @param {any} value @param {(value: any) => any} draw @returns {void}
 */
export function redraw(section, value, draw) {
  const text = JSON.stringify(value);
  if (drawnValues.get(section) === text) return;
  drawnValues.set(section, text);
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const key = section.contains(focused) ? focused?.dataset.key : undefined;
  section.replaceChildren(...[draw(value)].flat(Infinity).filter(Boolean));
  if (key) /** @type {HTMLElement | null} */ (section.querySelector(`[data-key="${CSS.escape(key)}"]`))?.focus();
}

/** Return the small tag that names a rule, or '' for none. @param {string} rule @returns {HTMLElement | string} */
export const ruleTag = (rule) => rule && h('span', { class: 'rule', 'aria-label': say('rule {rule}', { rule }) }, rule);
