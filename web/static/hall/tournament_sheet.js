// The printed sheet of a tournament: days as people here write them, and the browser's own print.

import { byId } from '../dom.js';
import { locale } from '../say.js';

for (const time of document.querySelectorAll('time')) {
  if (time.dateTime) time.textContent = new Date(`${time.dateTime}T12:00`).toLocaleDateString(locale);
}
byId('print').addEventListener('click', () => window.print());
