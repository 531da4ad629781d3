/* Translation of all text for players: by Django's catalogue of the page's language if it is loaded
   (it defines gettext and ngettext on the window), else plain English. */

/** @typedef {Record<string, string | number>} Values - values for the placeholders of a text */

/**
 * Replace the placeholders %(name)s of `text` by `values`.
 * @param {string} text
 * @param {Values} [values]
 */
export function fill(text, values = {}) {
  return text.replace(/%\((\w+)\)s/g, (whole, key) =>
    key in values ? String(values[key]) : whole,
  );
}

/**
 * @param {string} text
 * @param {Values} [values]
 */
export function gettext(text, values) {
  const found = globalThis.gettext ? globalThis.gettext(text) : text;
  return fill(found, values);
}

/**
 * Translate a text whose translation depends on `context`.
 * @param {string} context
 * @param {string} text
 * @param {Values} [values]
 */
export function pgettext(context, text, values) {
  const found = globalThis.pgettext ? globalThis.pgettext(context, text) : text;
  return fill(found, values);
}

/**
 * @param {string} one
 * @param {string} many
 * @param {number} number
 * @param {Values} [values]
 */
export function ngettext(one, many, number, values) {
  const found = globalThis.ngettext
    ? globalThis.ngettext(one, many, number)
    : number === 1
      ? one
      : many;
  return fill(found, { n: number, ...values });
}
