/* The board: holes, two leapfrogging pegs for each player, and the skunk lines; on a phone a thin
   strip for each player. The numbers are in the score panels beside it. */

import { html, useLayoutEffect, useRef } from "../../vendor/preact/preact.js";
import { seatName } from "../text/seat_names.js";
import { gettext } from "../text/translations.js";
import { later } from "../ui/memo.js";
import { LONG, path } from "./long_board.js";
import { LOOP } from "./loop_board.js";

/** @import { Ref, VNode } from "../../vendor/preact/preact.js" */
/** @import { BoardLayout, Point, Shown } from "../table/types.js" */
/** @import { Seat } from "../net/messages.js" */

const LAYOUTS = { long: LONG, loop: LOOP };
const HOLES = Array.from({ length: 120 }, (_, at) => at + 1);
/**
 * The hole after which each skunk line is drawn, and its label, by target.
 * @type {Record<number, [number, string][]>}
 */
const LINES = {
  121: [
    [60, "SS"],
    [90, "S"],
  ],
  61: [[30, "S"]],
};
const NUMBERED = [10, 20, 30, 50, 60, 70, 90, 100, 110, 120];

/**
 * The track of a seat: the player's own is the first, on the inside of the bend.
 * @param {Seat} seat
 * @param {Seat | null} me
 * @param {number} players
 */
function trackOf(seat, me, players) {
  return (seat - (me ?? 0) + players) % players;
}

/**
 * All values that a board depends on; a new view holds equal scores in another list.
 * @param {{ state: Shown, still?: boolean }} props
 */
function shown({ state, still }) {
  const { model, ruleset, table, view, settings } = state;
  const { players, me, scores, trailing } = model;
  const numbers = [players, me, ...scores, ...trailing].join();
  return [numbers, ruleset, table, view?.seat, settings?.board, still];
}

export const Board = later(shown, BoardOf);
export const Strip = later(shown, StripOf);

/** @param {{ state: Shown, still: boolean }} props */
function BoardOf({ state, still }) {
  const { model, ruleset } = state;
  const { players, me } = model;
  const target = ruleset?.target ?? 121;
  const seats = [...Array(players).keys()];
  const spoken = seats.map((seat) => `${seatName(state, seat)} ${model.scores[seat]}`).join(", ");
  const layout = LAYOUTS[state.settings?.board] ?? LONG;
  const { name, width, height, holeAt } = layout;
  return html`<svg class=${`board ${name}`} viewBox=${`0 0 ${width} ${height}`} role="img"
    aria-label=${gettext("Cribbage board: %(scores)s", { scores: spoken })}>
    <rect class="plank" x="2" y="2" width=${width - 4} height=${height - 4} rx="26" />
    <rect class="plank-edge" x="8" y="8" width=${width - 16} height=${height - 16} rx="21" />
    <${Holes} layout=${layout} players=${players} me=${me ?? 0} />
    ${(LINES[target] ?? []).map(([hole, word]) => {
      const { x, y } = layout.wordAt(hole, players);
      return html`<g class="skunk"><line ...${layout.lineAfter(hole, players)} />
        <text x=${x} y=${y + 3.5}>${word}</text></g>`;
    })}
    ${
      target === 61 &&
      seats.map(
        (seat) => html`<circle class="finish" r="6.4"
      cx=${holeAt(61, trackOf(seat, me, players), players).x}
      cy=${holeAt(61, trackOf(seat, me, players), players).y} />`,
      )
    }
    ${seats.map(
      (
        seat,
      ) => html`<${Pegs} key=${seat} layout=${layout} seat=${seat} track=${trackOf(seat, me, players)}
      players=${players} score=${model.scores[seat]} trailing=${model.trailing[seat]} still=${still} />`,
    )}
  </svg>`;
}

/** The holes never change during a match: drawn once. */
/** @type {Map<string, VNode>} */
const drawn = new Map();

/** @param {{ layout: BoardLayout, players: number, me: Seat }} props */
function Holes({ layout, players, me }) {
  const key = `${layout.name}/${players}/${me}`;
  if (!drawn.has(key)) drawn.set(key, drawHoles(layout, players, me));
  return drawn.get(key);
}

/**
 * Discs as the data of one path, which costs the browser far less than an element for each.
 * @param {Point[]} centres
 * @param {number} r
 */
function discs(centres, r) {
  /** @param {Point} centre */
  const disc = ({ x, y }) =>
    `M${(x - r).toFixed(1)} ${y.toFixed(1)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
  return centres.map(disc).join("");
}

/**
 * @param {BoardLayout} layout
 * @param {number} players
 * @param {Seat} me
 */
function drawHoles(layout, players, me) {
  const { holeAt, trackLine } = layout;
  const tracks = [...Array(players).keys()];
  const home = holeAt(121, 0, players);
  return html`<g class="holes">
    ${tracks.map(
      (track) => html`<g class=${`track seat-${(me + track) % players}`}>
      <path class="lane" d=${trackLine(track, players)} />
      <path class="paint" d=${trackLine(track, players)} />
      <path class="drilled" d=${discs(
        [-1, 0, ...HOLES].map((hole) => holeAt(hole, track, players)),
        3.1,
      )} /></g>`,
    )}
    <circle class="home" cx=${home.x} cy=${home.y} r="4.6" />
    ${NUMBERED.map((hole) => {
      const { x, y } = layout.numberAt(hole, players);
      return html`<text class="number" x=${x} y=${y + 3.5}>${hole}</text>`;
    })}
  </g>`;
}

/**
 * Two pegs: on a score the back one leaps over the front one, hole by hole.
 * @param {{ layout: BoardLayout, seat: Seat, track: number, players: number, score: number, trailing: number, still: boolean }} props
 */
function Pegs({ layout, seat, track, players, score, trailing, still }) {
  const pegs = useRef(/** @type {(Element | null)[]} */ ([null, null]));
  const at = useRef(/** @type {{ holes: number[], front: number } | null} */ (null));
  useLayoutEffect(() => {
    at.current ??= { holes: [score, trailing], front: 0 };
    const now = at.current;
    const front = now.holes[now.front];
    if (score > front && trailing === front) {
      const mover = 1 - now.front;
      const from = now.holes[mover];
      now.holes[mover] = score;
      now.front = mover;
      const peg = pegs.current[mover];
      if (!still && peg) leap(peg, path(Math.max(from, 0), score, track, players, { layout }));
    } else if (score !== front || trailing !== now.holes[1 - now.front]) {
      now.holes = [score, trailing];
      now.front = 0;
    }
    for (const index of [0, 1]) {
      const start = score === 0 && index !== now.front;
      const spot = layout.holeAt(start ? -1 : now.holes[index], track, players);
      pegs.current[index]?.setAttribute("transform", `translate(${spot.x} ${spot.y})`);
    }
  }, [score, trailing, players, track, still, layout]);
  return html`${[0, 1].map(
    (index) => html`<g class=${`peg seat-${seat}`}
    ref=${(/** @type {Element | null} */ node) => {
      pegs.current[index] = node;
    }}>
    <circle class="peg-shade" cx="1" cy="1.6" r="5.4" /><circle class="peg-head" r="5.4" />
    <circle class="peg-light" cx="-1.6" cy="-1.8" r="1.6" /></g>`,
  )}`;
}

/**
 * @param {Element} node
 * @param {Point[]} spots
 */
function leap(node, spots) {
  const frames = spots.flatMap(({ x, y }, at) => {
    const here = { transform: `translate(${x}px, ${y}px)` };
    if (at === 0) return [here];
    // Between two holes the peg is in the air: larger, and a little higher.
    const before = spots[at - 1];
    const [over, up] = [(x + before.x) / 2, (y + before.y) / 2 - 4];
    return [{ transform: `translate(${over}px, ${up}px) scale(1.25)` }, here];
  });
  node.animate(frames, { duration: Math.min(1100, 130 * spots.length) });
}

const LENGTH = 121;

/**
 * The board of a phone: one thin track for each player.
 * @param {{ state: Shown }} props
 */
function StripOf({ state }) {
  const { model, ruleset } = state;
  const target = ruleset?.target ?? LENGTH;
  const seats = [...Array(model.players).keys()].map(
    (at) => ((model.me ?? 0) + at) % model.players,
  );
  /** @param {number} score */
  const place = (score) => 4 + (Math.max(0, Math.min(score, target)) / target) * 352;
  const height = model.players * 11 + 6;
  const spoken = seats.map((seat) => `${seatName(state, seat)} ${model.scores[seat]}`).join(", ");
  return html`<svg class="strip" viewBox=${`0 0 360 ${height}`} role="img"
    aria-label=${gettext("Cribbage board: %(scores)s", { scores: spoken })}>
    <rect class="plank" width="360" height=${height} rx="5" />
    ${(LINES[target] ?? []).map(
      ([hole]) => html`<line class="skunk-line" x1=${place(hole + 0.5)}
      x2=${place(hole + 0.5)} y1="1" y2=${height - 1} />`,
    )}
    ${seats.map(
      (seat, row) => html`<g class=${`seat-${seat}`}>
      <line class="groove" x1="4" x2="356" y1=${row * 11 + 8.5} y2=${row * 11 + 8.5} />
      <path class="dot" d=${discs(
        Array.from({ length: Math.floor(target / 5) }, (_, at) => ({
          x: place((at + 1) * 5),
          y: row * 11 + 8.5,
        })),
        1.1,
      )} />
      <circle class="peg-back" cx=${place(model.trailing[seat])} cy=${row * 11 + 8.5} r="3.2" />
      <circle class="peg-head" cx=${place(model.scores[seat])} cy=${row * 11 + 8.5} r="4.4" />
    </g>`,
    )}
  </svg>`;
}
