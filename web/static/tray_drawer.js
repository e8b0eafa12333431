// The virtual tray beside the table, for trying on one page: opened by the table's own link to the tray.

import { byId } from './dom.js';
import { virtualTray } from './late.js';
import { TRAY_DRAWER, load, store } from './viewer.js';

const drawer = byId('tray-drawer');
/** One link in the header, and one in the menu for where the header has no room. */
const links = [byId('to-tray'), byId('to-tray-rare')];

/** Show the drawer or hide it. */
function showDrawer(isOpen) {
  drawer.hidden = !isOpen;
  document.body.classList.toggle('with-tray', isOpen);
  for (const link of links) link.setAttribute('aria-expanded', String(isOpen));
  store('sessionStorage', TRAY_DRAWER, isOpen ? 'open' : null);
}

/** What moves in the drawer is loaded when it is opened first. */
const toggleDrawer = () => (drawer.hidden ? virtualTray.use(() => showDrawer(true)) : showDrawer(false));

for (const link of links) {
  link.setAttribute('role', 'button');
  link.setAttribute('aria-controls', 'tray-drawer');
  link.setAttribute('aria-expanded', 'false');
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a window of its own, as a link has it
    event.preventDefault();
    toggleDrawer();
  });
  link.addEventListener('keydown', (event) => event.key === ' ' && (event.preventDefault(), toggleDrawer()));
}
byId('close-tray').addEventListener('click', () => {
  showDrawer(false);
  (links.find((link) => link.checkVisibility()) ?? byId('menu')).focus();
});
if (load('sessionStorage', TRAY_DRAWER)) toggleDrawer();
