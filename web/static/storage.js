// What the browser keeps, where it keeps anything: private windows and strict settings may forbid it.

/** Whether the virtual tray lies next to the table in this window: 'open', or nothing. */
export const TRAY_DRAWER = 'vander.tray-drawer';

/** Return what is stored, or null. @param {'localStorage' | 'sessionStorage'} area @param {string} key @returns {string | null} */
export function load(area, key) {
  try {
    return window[area].getItem(key);
  } catch {
    return null;
  }
}

/** Store a text, or remove it with null; return true if that worked. @param {'localStorage' | 'sessionStorage'} area @param {string} key @param {string | null} text @returns {boolean} */
export function store(area, key, text) {
  try {
    if (text === null) window[area].removeItem(key);
    else window[area].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
