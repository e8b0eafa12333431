// The way to the caller, which is loaded once somebody has let it speak on this tablet.

import { byId } from './dom.js';
import { load } from './storage.js';
import { caller, callerDialog } from './table_parts.js';
import { orShowError } from './toast.js';

const LEVEL_KEY = 'vander.caller';

/** Let the caller say nothing of what the page did not see happen. @returns {void} */
export const forgetSpoken = () => caller.loaded?.forgetSpoken();

const openCaller = () => caller.use(() => callerDialog.use((dialog) => orShowError(dialog.openCaller())));

byId('caller').addEventListener('click', openCaller);
if ((load('localStorage', LEVEL_KEY) ?? 'off') !== 'off') caller.use(() => null);
