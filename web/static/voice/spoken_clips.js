// Which clips of a language say a part: numbers are put together of 0 to 99, hundreds and thousands. No sound, no DOM.

/**
 * Return the keys of the clips that say a number; none where the language has no clips for it.
 * @param {number} value @param {(key: string) => boolean} has @returns {string[]}
 */
export function numberClips(value, has) {
  if (value < 0) return has('minus') ? ['minus', ...numberClips(-value, has)] : [];
  const steps = [value - (value % 1000), (value % 1000) - (value % 100), value % 100].filter((step) => step > 0);
  const keys = (steps.length ? steps : [0]).map((step, place, { length }) => (place < length - 1 && has(`${step}+`) ? `${step}+` : `${step}`));
  return keys.every(has) ? keys : [];
}

/**
 * Return the keys of the clips that say a part after its name. @param {import('./spoken_parts.js').SpokenPart} part
 * @param {boolean} isNamed whether its name was said @param {(key: string) => boolean} has @returns {string[]}
 */
export function partClips({ phrase, rule, without, number }, isNamed, has) {
  if (number !== undefined) return numberClips(number, has);
  const keys = [`rule:${rule}`, isNamed ? phrase : without ?? phrase];
  return [keys.find((key) => key && has(key))].filter((key) => key !== undefined);
}
