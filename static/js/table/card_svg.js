/* Cards as SVG. Indices and pips are drawn here; the court figures and the back come from a
   sprite that is fetched once and added to the page. */

import { html } from "../../vendor/preact/preact.js";
import { cardName } from "../text/card_names.js";
import { gettext } from "../text/translations.js";
import { memo } from "../ui/memo.js";
import { pipPaths } from "./pip_paths.js";

/** @import { Card } from "../net/messages.js" */
/** @import { Suit } from "./pip_paths.js" */
/** @import { Settings } from "./types.js" */

const AGAIN_MS = 1000; // after the first failure to fetch the sprite; doubled after each
const LONGEST_MS = 30_000;

/**
 * @typedef {object} HandCardProps
 * @property {Card} card
 * @property {Settings["deck"]} deck
 * @property {number} at - its place in the hand
 * @property {boolean} chosen
 * @property {boolean} ahead - whether it is picked ahead, for the player's turn
 * @property {boolean} early - whether it may be picked before the turn
 * @property {boolean} playable
 * @property {boolean} active
 * @property {boolean} advised
 * @property {boolean} focusable
 * @property {(card: Card) => void} onPick
 * @property {(event: PointerEvent) => void} onGrab
 */

/**
 * Add the sprite's symbols to the page, as soon as the connection allows.
 * @param {string} url
 */
export async function loadSprite(url) {
  let text = null;
  for (let wait = AGAIN_MS; text === null; wait = Math.min(2 * wait, LONGEST_MS)) {
    text = await fetchText(url);
    if (text === null) await new Promise((done) => setTimeout(done, wait));
  }
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  for (const court of parsed.querySelectorAll("symbol[id^=court-], symbol#back")) flatten(court);
  for (const part of parsed.querySelectorAll("defs > g, defs > [id$='-a']")) part.remove();
  const sprite = document.importNode(parsed.documentElement, true);
  sprite.setAttribute("class", "sprite");
  sprite.setAttribute("aria-hidden", "true");
  // The page may contain the pips already, so that no card waits for the court figures.
  for (const before of document.querySelectorAll(".sprite")) before.remove();
  document.body.prepend(sprite);
}

/**
 * Return the text at an address; null if it did not arrive.
 * @param {string} url
 */
async function fetchText(url) {
  try {
    const answer = await fetch(url);
    return answer.ok ? await answer.text() : null;
  } catch {
    return null;
  }
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * Turn a court figure, or the back, into one image: a card then has one more element, not hundreds.
 * Its pips stay as they are, since the page sets their colour.
 * @param {Element} court
 */
function flatten(court) {
  const page = court.ownerDocument;
  /** @param {Element} node */
  const own = (node) => node.matches("[href^='#pip-']") || node.querySelector("[href^='#pip-']");
  const figure = [...court.children].filter((node) => !own(node));
  /** @type {Set<Element>} */
  const needed = new Set();
  for (const node of figure) gatherParts(node, needed);
  const [, , width, height] = (court.getAttribute("viewBox") ?? "").split(" ");
  const drawing = [...needed, ...figure].map((node) => new XMLSerializer().serializeToString(node));
  const [parts, shown] = [drawing.slice(0, needed.size), drawing.slice(needed.size)];
  const text = `<svg xmlns="${SVG}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none"><defs>${parts.join("")}</defs>${shown.join("")}</svg>`;
  const picture = page.createElementNS(SVG, "image");
  picture.setAttribute("href", `data:image/svg+xml,${encodeURIComponent(text)}`);
  picture.setAttribute("width", width);
  picture.setAttribute("height", height);
  picture.setAttribute("preserveAspectRatio", "none");
  for (const node of figure) node.remove();
  court.prepend(picture);
}

/**
 * Add the elements that a drawing uses, directly or indirectly.
 * @param {Element} node
 * @param {Set<Element>} needed
 */
function gatherParts(node, needed) {
  const all = [node, ...node.querySelectorAll("use, [fill^='url(#']")];
  for (const use of all) {
    const named = use.getAttribute("href") ?? use.getAttribute("fill") ?? "";
    const part = node.ownerDocument.getElementById(named.replace(/^(#|url\(#)|\)$/g, ""));
    if (!part || needed.has(part)) continue;
    needed.add(part);
    gatherParts(part, needed);
  }
}

const LEFT = 33;
const MID = 50;
const RIGHT = 67;
/** @typedef {[x: number, y: number]} Spot */

/** @type {Spot[]} */
const FOUR = [
  [LEFT, 28],
  [RIGHT, 28],
  [LEFT, 112],
  [RIGHT, 112],
];
/** @type {Spot[]} */
const SIX = [...FOUR, [LEFT, 70], [RIGHT, 70]];
/** @type {Spot[]} */
const EIGHT = [...FOUR, [LEFT, 56], [RIGHT, 56], [LEFT, 84], [RIGHT, 84]];

/**
 * The positions of the pips on a card of 100 by 140.
 * @type {Record<string, Spot[]>}
 */
const PIPS = {
  2: [
    [MID, 28],
    [MID, 112],
  ],
  3: [
    [MID, 28],
    [MID, 70],
    [MID, 112],
  ],
  4: FOUR,
  5: [...FOUR, [MID, 70]],
  6: SIX,
  7: [...SIX, [MID, 49]],
  8: [...SIX, [MID, 49], [MID, 91]],
  9: [...EIGHT, [MID, 70]],
  T: [...EIGHT, [MID, 42], [MID, 98]],
};

const PIP = 22;
const CORNER = { x: 11.5, y: 35, size: 16 };
const OTHER_CORNER = { x: 88.5, y: 105, size: 16, turned: true };
const TURN = "rotate(180 50 70)";

/**
 * The path data drawn so far, by deck and card: they never change.
 * @type {Map<string, string[]>}
 */
const drawn = new Map();

/**
 * The paths of a card's pips; the large deck has two, of which the second is fainter.
 * @param {Card} card
 * @param {Settings["deck"]} deck
 */
function pipsOf(card, deck) {
  const key = `${deck}/${card}`;
  const known = drawn.get(key);
  if (known) return known;
  const suit = /** @type {Suit} */ (card[1]);
  const paths = spotsOf(card[0], deck).map((spots) => pipPaths(suit, spots));
  drawn.set(key, paths);
  return paths;
}

/**
 * @param {string} letter - of the rank
 * @param {Settings["deck"]} deck
 */
function spotsOf(letter, deck) {
  if (deck === "large") return [[{ x: 31, y: 80, size: 44 }], [{ x: 71, y: 111, size: 46 }]];
  const pips = (PIPS[letter] ?? []).map(([x, y]) => ({ x, y, size: PIP, turned: y > 70 }));
  if (letter === "A") pips.push({ x: 50, y: 69, size: 52, turned: false });
  return [[CORNER, OTHER_CORNER, ...pips]];
}

/** @param {Card} card */
function classicFace(card) {
  const [letter] = card;
  const rank = letter === "T" ? "10" : letter;
  return html`
    <text class="index" x="11.5" y="23" text-anchor="middle">${rank}</text>
    <text class="index" x="11.5" y="23" text-anchor="middle" transform=${TURN}>${rank}</text>
    <path class="pips" d=${pipsOf(card, "classic")[0]} />
    ${
      "JQK".includes(letter)
        ? html`<use href=${`#court-${card}`} x="23" y="13" width="54" height="114" />
      <rect x="23" y="13" width="54" height="114" class="frame" />`
        : null
    }
  `;
}

/** @param {Card} card */
function largeFace(card) {
  const rank = card[0] === "T" ? "10" : card[0];
  const [pip, faint] = pipsOf(card, "large");
  return html`
    <text class="index large" x="31" y="52" text-anchor="middle">${rank}</text>
    <path class="pips" d=${pip} />
    <path class="pips faint" d=${faint} />
  `;
}

/** The picture of a card. `deck` is "classic" or "large". */
const Face = memo(({ card, deck }) => [card, deck], FaceOf);

/** @param {{ card: Card, deck: Settings["deck"] }} props */
function FaceOf({ card, deck }) {
  return html`<svg class=${`face suit-${card[1]}`} viewBox="0 0 100 140" aria-hidden="true">
    ${deck === "large" ? largeFace(card) : classicFace(card)}
  </svg>`;
}

/** The back of a card. */
export function Back() {
  return html`<span class="card back" aria-hidden="true">
    <svg class="face" viewBox="0 0 100 140"><use href="#back" width="100" height="140" /></svg>
  </span>`;
}

/** @typedef {{ card: Card, deck: Settings["deck"], kind?: string, label?: string, style?: object }} TableCardProps */

/** A card on the table: an image with a label. */
export const TableCard = memo(
  ({ card, deck, kind, label, style }) => [card, deck, kind, label, style],
  TableCardOf,
);

/** @param {TableCardProps} props */
function TableCardOf({ card, deck, kind = "", label, style }) {
  const name = label ?? cardName(card);
  return html`<span class=${`card ${kind}`} role="img" data-card=${card} aria-label=${name} style=${style}>
    <${Face} card=${card} deck=${deck} />
  </span>`;
}

/** What a card in the hand looks like; its two handlers depend only on the card. */
const HAND_CARD = /** @type {const} */ ([
  "card",
  "deck",
  "at",
  "chosen",
  "ahead",
  "early",
  "active",
  "playable",
  "advised",
  "focusable",
]);

/** A card in the hand: a button. */
export const HandCard = memo(
  (/** @type {HandCardProps} */ props) => HAND_CARD.map((name) => props[name]),
  HandCardOf,
);

/** @param {HandCardProps} props */
function HandCardOf(props) {
  const { card, deck, at, chosen, ahead, early, playable, active, advised, focusable } = props;
  const classes = ["card", "hand-card"];
  if (chosen) classes.push("chosen");
  if (active && !playable) classes.push("dimmed");
  if (advised) classes.push("advised");
  if (ahead) classes.push("ahead");
  const free = active ? playable : early;
  return html`<button type="button" class=${classes.join(" ")} data-card=${card} data-at=${at}
    aria-label=${handCardName(props)} aria-pressed=${chosen || ahead ? "true" : "false"}
    aria-disabled=${free ? undefined : "true"} tabindex=${focusable ? 0 : -1}
    style=${{ "--at": at }} onClick=${() => props.onPick(card)}
    onPointerDown=${props.onGrab}>
    <${Face} card=${card} deck=${deck} />
    <span class="tick" aria-hidden="true">${ahead ? "…" : "✓"}</span>
  </button>`;
}

/** @param {HandCardProps} props */
function handCardName({ card, ahead, active, playable }) {
  const name = cardName(card);
  if (ahead) return gettext("%(card)s, queued for your turn", { card: name });
  return active && playable ? gettext("%(card)s, playable", { card: name }) : name;
}
