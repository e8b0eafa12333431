// The virtual tray on a page of its own: it follows the table, to know which dice are thrown now.

import { followTable } from './events.js';
import { publish } from './snapshot_feed.js';
import './virtual_tray.js';

followTable({ onSnapshot: publish, onLost: () => {}, onSlept: () => {} });
