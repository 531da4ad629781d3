/* Translation of all text for players: by Django's catalogue of the page's language if it is loaded
   (it defines gettext and ngettext on the window), else plain English. */

/** @typedef {Record<string, string | number>} Values - values for the placeholders of a text */
/** @import { Card } from "../net/messages.js" */

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

const NUMBERS = () => [
  gettext("nothing"),
  gettext("one"),
  gettext("two"),
  gettext("three"),
  gettext("four"),
  gettext("five"),
  gettext("six"),
  gettext("seven"),
  gettext("eight"),
  gettext("nine"),
  gettext("ten"),
  gettext("eleven"),
  gettext("twelve"),
  gettext("thirteen"),
  gettext("fourteen"),
  gettext("fifteen"),
  gettext("sixteen"),
  gettext("seventeen"),
  gettext("eighteen"),
  gettext("nineteen"),
  gettext("twenty"),
  gettext("twenty-one"),
  gettext("twenty-two"),
  gettext("twenty-three"),
  gettext("twenty-four"),
  gettext("twenty-five"),
  gettext("twenty-six"),
  gettext("twenty-seven"),
  gettext("twenty-eight"),
  gettext("twenty-nine"),
];

/**
 * A number of points, 0 to 29, in words; other numbers in figures.
 * @param {number} number
 */
export function numberWord(number) {
  return NUMBERS()[number] ?? String(number);
}

// Many languages write the card "two" differently from the number.
/** @type {Record<string, () => string>} */
const RANKS = {
  A: () => pgettext("rank", "ace"),
  2: () => pgettext("rank", "two"),
  3: () => pgettext("rank", "three"),
  4: () => pgettext("rank", "four"),
  5: () => pgettext("rank", "five"),
  6: () => pgettext("rank", "six"),
  7: () => pgettext("rank", "seven"),
  8: () => pgettext("rank", "eight"),
  9: () => pgettext("rank", "nine"),
  T: () => pgettext("rank", "ten"),
  J: () => pgettext("rank", "jack"),
  Q: () => pgettext("rank", "queen"),
  K: () => pgettext("rank", "king"),
};

/** @type {Record<string, () => string>} */
const SUITS = {
  C: () => gettext("clubs"),
  D: () => gettext("diamonds"),
  H: () => gettext("hearts"),
  S: () => gettext("spades"),
};

/** @type {Record<string, string>} */
const SIGNS = { C: "♣", D: "♦", H: "♥", S: "♠" };

/**
 * "5H" -> "five of hearts".
 * @param {Card} card
 */
export function cardName(card) {
  return gettext("%(rank)s of %(suit)s", { rank: RANKS[card[0]](), suit: SUITS[card[1]]() });
}

/** @param {Card[]} cards */
export function cardNames(cards) {
  return cards.map(cardName).join(", ");
}

/**
 * "TH" -> "10♥", for buttons and the log.
 * @param {Card} card
 */
export function cardSign(card) {
  return (card[0] === "T" ? "10" : card[0]) + SIGNS[card[1]];
}
