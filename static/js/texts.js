/* Every word that a player reads goes through here: Django's catalogue of the page's language
   where it is loaded (it puts gettext and ngettext on the window), plain English where not. */

/** Put `values` into the places %(name)s of `text`. */
export function fill(text, values = {}) {
  return text.replace(/%\((\w+)\)s/g, (whole, key) =>
    key in values ? String(values[key]) : whole,
  );
}

export function gettext(text, values) {
  const found = globalThis.gettext ? globalThis.gettext(text) : text;
  return fill(found, values);
}

/** A text whose translation differs by where it stands, which `context` says. */
export function pgettext(context, text, values) {
  const found = globalThis.pgettext ? globalThis.pgettext(context, text) : text;
  return fill(found, values);
}

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

/** A number of points, 0 to 29, in words; other numbers in figures. */
export function numberWord(number) {
  return NUMBERS()[number] ?? String(number);
}

// Many a language writes the card "Two" otherwise than the number "two".
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

const SUITS = {
  C: () => gettext("clubs"),
  D: () => gettext("diamonds"),
  H: () => gettext("hearts"),
  S: () => gettext("spades"),
};

const SIGNS = { C: "♣", D: "♦", H: "♥", S: "♠" };

/** "5H" -> "five of hearts". */
export function cardName(card) {
  return gettext("%(rank)s of %(suit)s", { rank: RANKS[card[0]](), suit: SUITS[card[1]]() });
}

export function cardNames(cards) {
  return cards.map(cardName).join(", ");
}

/** "TH" -> "10♥": for buttons and the log. */
export function cardSign(card) {
  return (card[0] === "T" ? "10" : card[0]) + SIGNS[card[1]];
}
