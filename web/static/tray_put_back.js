// Laying dice back on the virtual tray, by its own page and by the question that asks for it. The camera sees whether they lie right.

import { postJson } from './api.js';
import { byId } from './dom.js';
import { newestSnapshot } from './snapshot_feed.js';
import { orShowError } from './toast.js';
import { wantedDice } from './virtual_tray_view.js';

/** Return true if this page has the virtual tray. @returns {boolean} */
export const hasVirtualTray = () => Boolean(byId('tray-drawer') ?? byId('tray'));

/** Let a hand lay the dice as they lay. @returns {Promise<any>} the tray's dice, nothing where that was refused */
export const putBack = () => orShowError(postJson('/api/tray/put-back', { wanted: wantedDice(newestSnapshot()) }));
