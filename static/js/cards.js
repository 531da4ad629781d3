/* Cards as SVG. Number cards, indices and the large-index faces are drawn here; the court figures,
   the pips and the back come from one sprite, fetched once and put into the page. */

import { html } from "../vendor/preact/preact.js";
import { drawnFor } from "./drawn.js";
import { cardName, gettext } from "./texts.js";

/** Put the sprite's symbols into the page. */
export async function loadSprite(url) {
  const answer = await fetch(url);
  const parsed = new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
  for (const court of parsed.querySelectorAll("symbol[id^=court-]")) flatten(court);
  for (const part of parsed.querySelectorAll("defs > g, defs > [id$='-a']")) part.remove();
  const sprite = document.importNode(parsed.documentElement, true);
  sprite.setAttribute("class", "sprite");
  sprite.setAttribute("aria-hidden", "true");
  // The page may bring the pips along, so that no card waits for the courts to be read.
  for (const before of document.querySelectorAll(".sprite")) before.remove();
  document.body.prepend(sprite);
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * Make one picture of a court's figure: a card that shows it has one element more, not hundreds.
 * Its pips stay as they are, since their colour is the page's.
 */
function flatten(court) {
  const page = court.ownerDocument;
  const own = (node) => node.matches("[href^='#pip-']") || node.querySelector("[href^='#pip-']");
  const figure = [...court.children].filter((node) => !own(node));
  const needed = new Set();
  for (const node of figure) gatherParts(node, needed);
  const [, , width, height] = court.getAttribute("viewBox").split(" ");
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

/** Add whatever a drawing uses, and what that uses. */
function gatherParts(node, needed) {
  const uses = node.matches("use") ? [node] : [...node.querySelectorAll("use")];
  for (const use of uses) {
    const part = node.ownerDocument.getElementById(use.getAttribute("href").slice(1));
    if (!part || needed.has(part)) continue;
    needed.add(part);
    gatherParts(part, needed);
  }
}

const LEFT = 33;
const MID = 50;
const RIGHT = 67;
const FOUR = [
  [LEFT, 28],
  [RIGHT, 28],
  [LEFT, 112],
  [RIGHT, 112],
];
const SIX = [...FOUR, [LEFT, 70], [RIGHT, 70]];
const EIGHT = [...FOUR, [LEFT, 56], [RIGHT, 56], [LEFT, 84], [RIGHT, 84]];

/** Where the pips stand on a card of 100 by 140. */
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
const TURN = "rotate(180 50 70)";

function pip(suit, x, y, size) {
  const turn = y > 70 ? `rotate(180 ${x} ${y})` : undefined;
  return html`<use href=${`#pip-${suit}`} x=${x - size / 2} y=${y - size / 2} width=${size}
    height=${size} transform=${turn} />`;
}

function corner(rank, suit) {
  return html`<text class="index" x="11.5" y="23" text-anchor="middle">${rank}</text>
    <use href=${`#pip-${suit}`} x="3.5" y="27" width="16" height="16" />`;
}

function classicFace(card) {
  const [letter, suit] = card;
  const rank = letter === "T" ? "10" : letter;
  const court = "JQK".includes(letter);
  return html`
    <g>${corner(rank, suit)}</g>
    <g transform=${TURN}>${corner(rank, suit)}</g>
    ${
      court
        ? html`<use href=${`#court-${card}`} x="23" y="13" width="54" height="114" />
      <rect x="23" y="13" width="54" height="114" class="frame" />`
        : null
    }
    ${letter === "A" ? pip(suit, 50, 69, 52) : null}
    ${(PIPS[letter] ?? []).map(([x, y]) => pip(suit, x, y, PIP))}
  `;
}

function largeFace(card) {
  const [letter, suit] = card;
  const rank = letter === "T" ? "10" : letter;
  return html`
    <text class="index large" x="31" y="52" text-anchor="middle">${rank}</text>
    <use href=${`#pip-${suit}`} x="9" y="58" width="44" height="44" />
    <use href=${`#pip-${suit}`} x="48" y="88" width="46" height="46" class="faint" />
  `;
}

/** The picture of a card. `deck` is "classic" or "large". */
const Face = drawnFor(({ card, deck }) => [card, deck], FaceOf);

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

/** A card that lies on the table: a picture with a name. */
export function TableCard({ card, deck, kind = "", label, style }) {
  const name = label ?? cardName(card);
  return html`<span class=${`card ${kind}`} role="img" data-card=${card} aria-label=${name} style=${style}>
    <${Face} card=${card} deck=${deck} />
  </span>`;
}

/** A card in the hand: a button. */
export function HandCard(props) {
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

function handCardName({ card, ahead, active, playable }) {
  const name = cardName(card);
  if (ahead) return gettext("%(card)s, follows on your turn", { card: name });
  return active && playable ? gettext("%(card)s, playable", { card: name }) : name;
}
