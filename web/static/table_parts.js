// What the table page loads when it is wanted first: nobody waits for it, and it is not asked for, before the game is seen.

import { latePart } from './late.js';

/** The referee's questions. */
export const questions = latePart('questions.js', 'challenge.css');
/** Setting up a game. */
export const setup = latePart('setup.js', 'rules.css');
/** Dialogs over the table: a row of a board, the chances, the correction of a die, what the table agrees on. */
export const tableDialogs = latePart('table_dialogs.js');
/** Where no camera sees the tray, people say what their dice show. */
export const manualEntry = latePart('manual_entry.js');
/** The card that asks now and then whether a throw was read right. */
export const checkCard = latePart('check_card.js');
/** The card of a change that waits for another seat. */
export const confirmation = latePart('confirmation.js');
/** The sheet of a past throw, with its film. */
export const challenge = latePart('challenge.js', 'challenge.css');
/** The table before and after a breach. */
export const beforeAfter = latePart('before_after.js', 'challenge.css');
/** The rules of a game, and how it is played. */
export const rulesSheet = latePart('rules_sheet.js', 'rules.css');
/** What moves on the virtual tray. */
export const virtualTray = latePart('virtual_tray.js', 'virtual_tray.css');
/** What is called out on this tablet. */
export const caller = latePart('voice/caller.js', 'voice/voice.css');
/** The dialog in which the caller is let speak. */
export const callerDialog = latePart('voice/caller_dialog.js', 'voice/voice.css');
