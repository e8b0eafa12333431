// The way to the caller, which is loaded once somebody has let it speak on this tablet.

import { byId } from './dom.js';
import { load } from './storage.js';
import { caller, callerDialog } from './table_parts.js';
import { orShowError } from './toast.js';

const LEVEL_KEY = 'vander.caller';

/** Let the caller say nothing of what the page did not see happen. @returns {void} */
export const forgetSpoken = () => caller.loaded?.forgetSpoken();

/** Let the caller say what comes after the snapshot that is shown when the table is heard from again. @param {any} snapshot @returns {void} */
export const sayAfter = (snapshot) => caller.loaded?.sayAfter(snapshot);

const openCaller = () => caller.use(() => callerDialog.use((dialog) => orShowError(dialog.openCaller())));

byId('caller').addEventListener('click', openCaller);
if ((load('localStorage', LEVEL_KEY) ?? 'off') !== 'off') caller.use(() => null);
