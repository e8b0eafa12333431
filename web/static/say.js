// What the page says to people. The templates in the calls are English; to a tablet that reads another language the server
// sends every script with that language's templates in their place, and with an object of plural forms for those that count.

/** The language of the page. */
export const language = globalThis.document?.documentElement.lang || 'en';

/** The locale by which numbers and dates are written: English as in Europe, with the day before the month. */
export const locale = language === 'en' ? 'en-GB' : language;

const PLACE = /\{(\w+)\}/;
const EVERY_PLACE = new RegExp(PLACE, 'g');

const filled = (template, values) => template.replace(EVERY_PLACE, (_, name) => values[name]);

/**
 * Return a sentence, in which `{name}` stands for the value of that name. `template` is a literal of a whole sentence, so that it
 * can be translated.
 * @param {string} template @param {Record<string, string | number>} values @returns {string}
 */
export const say = (template, values = {}) => filled(template, values);

/**
 * Return a sentence that counts, for example with the templates '{count} die' and '{count} dice', which are literals too.
 * @param {string | Record<string, string>} one for a count of one, or in another language a template for each plural form
 * @param {string} many @param {number} count @param {Record<string, string | number>} values @returns {string}
 */
export function sayCount(one, many, count, values = {}) {
  const forms = typeof one === 'string' ? { one, other: many } : one;
  const form = new Intl.PluralRules(language).select(count); // not made before a sentence counts: it delays a slow phone's first picture
  return filled(forms[form] ?? forms.other, { count, ...values });
}

/** Return a sentence in pieces, to be drawn one after the other, where a value may be an element: 'Still to act: {button}'. @param {string} template @param {Record<string, any>} values @returns {any[]} */
export const sayParts = (template, values) =>
  template.split(PLACE).map((piece, place) => (place % 2 ? values[piece] : piece)).filter((piece) => piece !== '');
