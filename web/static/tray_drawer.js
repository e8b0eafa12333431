// The virtual tray beside the table, for trying on one page: opened by the table's own link to the tray.

import { byId } from './dom.js';
import { load, store } from './storage.js';
import { virtualTray } from './table_parts.js';

const OPEN = 'vander.tray-drawer';

const drawer = byId('tray-drawer');
const link = byId('to-tray');

/** Show the drawer or hide it. */
function showDrawer(isOpen) {
  drawer.hidden = !isOpen;
  document.body.classList.toggle('with-tray', isOpen);
  link.setAttribute('aria-expanded', String(isOpen));
  store('sessionStorage', OPEN, isOpen ? 'open' : null);
}

/** What moves in the drawer is loaded when it is opened first. */
const toggleDrawer = () => (drawer.hidden ? virtualTray.use(() => showDrawer(true)) : showDrawer(false));

link.setAttribute('role', 'button');
link.setAttribute('aria-controls', 'tray-drawer');
link.setAttribute('aria-expanded', 'false');
link.addEventListener('click', (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a window of its own, as a link has it
  event.preventDefault();
  toggleDrawer();
});
link.addEventListener('keydown', (event) => event.key === ' ' && (event.preventDefault(), toggleDrawer()));
byId('close-tray').addEventListener('click', () => {
  showDrawer(false);
  (link.checkVisibility() ? link : byId('menu')).focus();
});
if (load('sessionStorage', OPEN)) toggleDrawer();
