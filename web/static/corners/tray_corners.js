// Opens the corners of a tray without markers; what draws them is loaded when it is wanted first.

import { latePart } from '../late.js';

const editor = latePart('corners/corner_editor.js', 'corners.css');

/** Let people tap the tray's corners. @param {() => void} done called when corners were kept or taken away @returns {void} */
export const tapCorners = (done) => editor.use(({ openCorners }) => openCorners(done));
