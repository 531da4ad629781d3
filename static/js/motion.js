/* Cards move from where they lay to where they lie: what was seen before a drawing is compared with
   what is seen after it, and each card that is elsewhere travels there. Nothing waits for it: the
   page is right at once, and where less motion is wanted the cards are simply there. A look reads
   all places in one go, and nothing is read after the first journey has begun: each reading between
   two journeys would have the browser lay the page out anew. */

const TIMES = { move: 320, deal: 380, gather: 300, turn: 420, appear: 220 }; // milliseconds
const APART = 55; // milliseconds between two cards of a deal
const SETTLE = "cubic-bezier(0.2, 0.7, 0.2, 1)";
const NEAR = 2; // pixels that are no move

/** Where the cards of a table are: faces by name, backs by place, all as rectangles. */
export function look(root) {
  const faces = new Map();
  for (const node of root.querySelectorAll(".felt .card[data-card]")) {
    faces.set(node.dataset.card, { node, box: node.getBoundingClientRect() });
  }
  const backs = new Map();
  for (const node of root.querySelectorAll(".felt .card.back")) {
    const place = placeOf(node);
    const box = node.getBoundingClientRect();
    if (box.width) backs.set(place, [...(backs.get(place) ?? []), { node, box }]);
  }
  const deck = root.querySelector(".deck .card")?.getBoundingClientRect() ?? null;
  return { faces, backs, deck };
}

function placeOf(node) {
  if (node.closest(".crib")) return "crib";
  return node.closest(".other")?.className ?? "deck";
}

/**
 * The journeys between two looks: [{node, box, from, kind, at}], from the rectangle `from`, null for a
 * card that only appears, to `box`; and the faces that are gathered to the pack. Pure.
 */
export function journeys(before, after) {
  const gone = [...before.faces].filter(([card]) => !after.faces.has(card)).map(([, face]) => face);
  const thrown = gone.filter(({ node }) => node.matches(".hand-card")).map(({ box }) => box);
  const freed = [...thrown, ...backsGone(before, after)];
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

/** Where cards of others lay that are not there any more. */
function backsGone(before, after) {
  const gone = [];
  for (const [place, list] of before.backs) {
    if (place === "deck" || place === "crib") continue;
    gone.push(...list.slice(after.backs.get(place)?.length ?? 0).map(({ box }) => box));
  }
  return gone;
}

function isApart(one, other) {
  const far = Math.max(Math.abs(one.left - other.left), Math.abs(one.top - other.top));
  return far > NEAR || Math.abs(one.width - other.width) > NEAR;
}

export class Motion {
  /** `still()` says whether cards should jump instead. */
  constructor(root, still) {
    this.root = root;
    this.still = still;
    this.model = null;
    this.running = [];
  }

  /** Draw with `work`, which shows `model`, and let the cards travel if that is another than before. */
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
    if (gathered.length) this.gather(gathered, after.deck);
  }

  /** Cards that have left the page go back to the pack: copies of them, which nobody can touch. */
  gather(faces, deck) {
    for (const { node, box } of faces) {
      const copy = node.cloneNode(true);
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

/** How `box` has to be moved and sized to lie on `other`. */
function shift(box, other) {
  const x = other.left + other.width / 2 - (box.left + box.width / 2);
  const y = other.top + other.height / 2 - (box.top + box.height / 2);
  return `translate(${x}px, ${y}px) scale(${other.width / box.width})`;
}

function travel({ node, box, from, kind, at }) {
  const options = {
    duration: TIMES[kind],
    delay: kind === "deal" ? at * APART : 0,
    easing: SETTLE,
    fill: "backwards",
  };
  return node.animate([{ ...beginning(box, from, kind), offset: 0 }], options);
}

function beginning(box, from, kind) {
  if (kind === "turn") return { transform: "rotateY(90deg)" };
  if (!from) return { opacity: 0 };
  return { transform: shift(box, from) };
}
