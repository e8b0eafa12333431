// What the sheet of rules shows: where a rule stands, and which step of how to play comes next. No DOM.

/** Return the first chapter that has a rule, undefined for none. @param {{title: string, texts: {number: string}[]}[]} chapters @param {string} number @returns {{title: string, texts: {number: string}[]} | undefined} */
export const chapterOf = (chapters, number) => chapters.find(({ texts }) => texts.some((text) => text.number === number));

/** Return the place of the step that comes before or after one, within all of them. @param {number} place @param {number} by @param {number} count @returns {number} */
export const placeOfStep = (place, by, count) => Math.max(0, Math.min(count - 1, place + by));
