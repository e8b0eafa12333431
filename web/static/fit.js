// Content that is made to fit its fixed place: drawn smaller where it would not fit, so that nothing scrolls.

import { fittingZoom } from './fit_view.js';

const watched = new WeakMap();
const observer = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver((entries) => entries.forEach(({ target }) => watched.get(target)?.()));

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
  };
  if (!watched.has(element)) observer?.observe(element);
  watched.set(element, apply);
  apply();
}
