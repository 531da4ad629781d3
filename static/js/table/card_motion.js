/* Card animations: positions before and after a redraw are compared, and each card that has moved
   travels to its new place. Nothing waits for it: the page is correct at once, and with reduced motion
   the cards jump. All positions are read in one go, before the first animation starts: reading
   between two animations would force the browser to lay the page out again. */

import { dataOf } from "../ui/dom.js";

/** @import { Model } from "./types.js" */

/** @typedef {{ node: HTMLElement, box: DOMRect }} Place */
/** @typedef {{ faces: Map<string, Place>, backs: Map<string, Place[]>, deck: DOMRect | null }} Look */
/**
 * @typedef {Place & { from: DOMRect | null, kind: "move" | "deal" | "turn" | "appear", at: number }} Journey
 */

const TIMES = { move: 320, deal: 380, gather: 300, turn: 420, appear: 220 }; // milliseconds
const APART = 55; // milliseconds between two cards of a deal
const SETTLE = "cubic-bezier(0.2, 0.7, 0.2, 1)";
const NEAR = 2; // pixels; less is not a move

/**
 * The positions of the cards of a table, as rectangles: faces by card, backs by place.
 * @param {Element} root
 * @returns {Look}
 */
export function look(root) {
  /** @type {Map<string, Place>} */
  const faces = new Map();
  for (const node of /** @type {NodeListOf<HTMLElement>} */ (
    root.querySelectorAll(".felt .card[data-card]")
  )) {
    faces.set(dataOf(node, "card"), { node, box: node.getBoundingClientRect() });
  }
  /** @type {Map<string, Place[]>} */
  const backs = new Map();
  for (const node of /** @type {NodeListOf<HTMLElement>} */ (
    root.querySelectorAll(".felt .card.back")
  )) {
    const place = placeOf(node);
    const box = node.getBoundingClientRect();
    if (box.width) backs.set(place, [...(backs.get(place) ?? []), { node, box }]);
  }
  const deck = root.querySelector(".deck .card")?.getBoundingClientRect() ?? null;
  return { faces, backs, deck };
}

/** @param {Element} node */
function placeOf(node) {
  if (node.closest(".crib")) return "crib";
  return node.closest(".other")?.className ?? "deck";
}

/**
 * The journeys between two looks, each from the rectangle `from` (null for a card that only appears)
 * to `box`; and the faces that are gathered to the pack. Pure.
 * @param {Look} before
 * @param {Look} after
 * @returns {{ found: Journey[], gathered: Place[] }}
 */
export function journeys(before, after) {
  const gone = [...before.faces].filter(([card]) => !after.faces.has(card)).map(([, face]) => face);
  const thrown = gone.filter(({ node }) => node.matches(".hand-card")).map(({ box }) => box);
  const freed = [...thrown, ...backsGone(before, after)];
  /** @type {Journey[]} */
  const found = [];
  let dealt = 0;
  for (const [card, { node, box }] of after.faces) {
    const known = before.faces.get(card);
    if (known) {
      if (isApart(known.box, box)) found.push({ node, box, from: known.box, kind: "move", at: 0 });
    } else if (node.matches(".hand-card")) {
      found.push({ node, box, from: before.deck ?? after.deck, kind: "deal", at: dealt++ });
    } else if (node.matches(".starter")) {
      found.push({ node, box, from: box, kind: "turn", at: 0 });
    } else {
      const source = node.closest(".pile") ? freed.shift() : null;
      const kind = source ? "move" : "appear";
      found.push({ node, box, from: source ?? null, kind, at: 0 });
    }
  }
  for (const [place, list] of after.backs) {
    const had = before.backs.get(place)?.length ?? 0;
    if (place === "deck") continue;
    for (const [at, { node, box }] of list.slice(had).entries()) {
      const from = place === "crib" ? freed.shift() : (before.deck ?? after.deck);
      if (from) found.push({ node, box, from, kind: place === "crib" ? "move" : "deal", at });
    }
  }
  const gathered =
    dealt && after.deck ? gone.filter(({ node }) => !node.matches(".hand-card")) : [];
  return { found, gathered };
}

/**
 * The former positions of other players' cards that have left their hands.
 * @param {Look} before
 * @param {Look} after
 */
function backsGone(before, after) {
  const gone = [];
  for (const [place, list] of before.backs) {
    if (place === "deck" || place === "crib") continue;
    gone.push(...list.slice(after.backs.get(place)?.length ?? 0).map(({ box }) => box));
  }
  return gone;
}

/**
 * @param {DOMRect} one
 * @param {DOMRect} other
 */
function isApart(one, other) {
  const far = Math.max(Math.abs(one.left - other.left), Math.abs(one.top - other.top));
  return far > NEAR || Math.abs(one.width - other.width) > NEAR;
}

export class CardMotion {
  /**
   * `still()` returns whether cards should jump instead.
   * @param {HTMLElement} root
   * @param {() => boolean} still
   */
  constructor(root, still) {
    this.root = root;
    this.still = still;
    /** @type {Model | null} */
    this.model = null;
    /** @type {Animation[]} */
    this.running = [];
  }

  /**
   * Call `work` to draw `model`, and animate the cards if the model has changed.
   * @param {Model | null} model
   * @param {() => void} work
   */
  around(model, work) {
    const moves = model !== this.model && this.model !== null && !this.still();
    this.model = model;
    if (!moves || document.hidden) {
      work();
      return;
    }
    const before = look(this.root);
    for (const animation of this.running) animation.cancel();
    work();
    const after = look(this.root);
    const { found, gathered } = journeys(before, after);
    this.running = found.map(travel);
    if (gathered.length && after.deck) this.gather(gathered, after.deck);
  }

  /**
   * Animate cards that have left the page back to the pack, as copies that cannot be clicked.
   * @param {Place[]} faces
   * @param {DOMRect} deck
   */
  gather(faces, deck) {
    for (const { node, box } of faces) {
      const copy = /** @type {HTMLElement} */ (node.cloneNode(true));
      copy.className = "card ghost";
      copy.setAttribute("aria-hidden", "true");
      copy.removeAttribute("data-card");
      copy.style.left = `${box.left}px`;
      copy.style.top = `${box.top}px`;
      copy.style.setProperty("--card-w", `${box.width}px`);
      document.body.append(copy);
      const end = { transform: shift(box, deck), opacity: 0.4 };
      const flight = copy.animate(end, { duration: TIMES.gather, easing: SETTLE });
      flight.finished.finally(() => copy.remove());
    }
  }
}

/**
 * The CSS transform that puts `box` onto `other`.
 * @param {DOMRect} box
 * @param {DOMRect} other
 */
function shift(box, other) {
  const x = other.left + other.width / 2 - (box.left + box.width / 2);
  const y = other.top + other.height / 2 - (box.top + box.height / 2);
  return `translate(${x}px, ${y}px) scale(${other.width / box.width})`;
}

/** @param {Journey} props */
function travel({ node, box, from, kind, at }) {
  /** @type {KeyframeAnimationOptions} */
  const options = {
    duration: TIMES[kind],
    delay: kind === "deal" ? at * APART : 0,
    easing: SETTLE,
    fill: "backwards",
  };
  return node.animate([{ ...beginning(box, from, kind), offset: 0 }], options);
}

/**
 * @param {DOMRect} box
 * @param {DOMRect | null} from
 * @param {Journey["kind"]} kind
 */
function beginning(box, from, kind) {
  if (kind === "turn") return { transform: "rotateY(90deg)" };
  if (!from) return { opacity: 0 };
  return { transform: shift(box, from) };
}
