// What a question shows first, and what only on request: values that are drawn. No DOM.

/** The answers that no picture stands for: dice that look alike do not all show the same; no die of the throw is of the kind. */
const NONE_OF_THESE = ['not-all', 'none'];

/**
 * Return a question's answers: the likeliest as tiles, the one that none of them is right, and the others.
 * @param {any} question @returns {{tiles: any[], split: any | null, others: any[]}}
 */
export function answersView({ topic, choices }) {
  const split = choices.find(({ answer }) => NONE_OF_THESE.includes(answer)) ?? null;
  const shown = choices.filter((choice) => choice !== split);
  const isTile = ({ likely }) => topic === 'kind' || likely;
  return { tiles: shown.filter(isTile), split, others: shown.filter((choice) => !isTile(choice)) };
}

/** Return the pictures of the dice that a question is about, unless they are its answers. @param {any} question @returns {string[]} */
export const askedPictures = ({ topic, crops }) => (topic === 'kind' ? [] : crops.filter(Boolean));

/** Return the dice that are asked about. @param {any[]} questions @returns {number[]} */
export const askedDice = (questions) => questions.flatMap(({ dice }) => dice);
