/* Geometry of the long board of 120 holes and a game hole: up one side, round the top, down the
   other, round the foot, and up the middle. Pure. */

/** @import { BoardLayout, Point, Segment } from "../table/types.js" */

const BOARD = { width: 250, top: 106, foot: 690, left: 46, right: 204, middle: 124 };

const STEP = 15.2; // between two holes
const GAP = 6.2; // extra, between two groups of five
const TRACK = 15; // between two tracks

const SMALL = (BOARD.right - BOARD.middle) / 2;
const LARGE = (BOARD.right - BOARD.left) / 2;

/**
 * The distance of the hole at `index` (from 0) along a straight leg.
 * @param {number} index
 */
function along(index) {
  return index * STEP + Math.floor(index / 5) * GAP;
}

/**
 * The centre of hole `hole` of the track that is `offset` from the centre line.
 * @param {number} hole
 * @param {number} offset
 * @returns {Point}
 */
function onLine(hole, offset) {
  if (hole <= 35) return { x: BOARD.left - offset, y: BOARD.foot - along(hole - 1) };
  if (hole <= 45) {
    const angle = Math.PI * (1 - turn(hole - 36, 10));
    return around((BOARD.left + BOARD.right) / 2, BOARD.top, LARGE + offset, angle, -1);
  }
  if (hole <= 80) return { x: BOARD.right + offset, y: BOARD.foot - along(35 - (hole - 45)) };
  if (hole <= 85) {
    const angle = Math.PI * turn(hole - 81, 5);
    return around((BOARD.middle + BOARD.right) / 2, BOARD.foot + 14, SMALL + offset, angle, 1);
  }
  return { x: BOARD.middle - offset, y: BOARD.foot - along(hole - 86) };
}

/**
 * The fraction of a half circle at which a hole stands: the middle of one of `holes` equal parts.
 * @param {number} index
 * @param {number} holes
 */
function turn(index, holes) {
  return (index + 0.5) / holes;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {number} angle
 * @param {number} side
 */
function around(x, y, radius, angle, side) {
  return { x: x + radius * Math.cos(angle), y: y + side * radius * Math.sin(angle) };
}

/**
 * The centre of the hole for `score`: 0 and -1 are the two starting holes, 121 the game hole, which
 * all tracks share.
 * @param {number} score
 * @param {number} track
 * @param {number} players
 * @returns {Point}
 */
export function holeAt(score, track, players) {
  const offset = (track - (players - 1) / 2) * TRACK;
  if (score <= 0) return { x: BOARD.left - offset, y: BOARD.foot + 22 - score * STEP };
  if (score >= 121) return { x: BOARD.middle, y: BOARD.foot - along(34) - STEP * 1.9 };
  return onLine(score, offset);
}

/**
 * A short line across the tracks between `hole` and the next one.
 * @param {number} hole
 * @param {number} players
 * @returns {Segment}
 */
export function lineAfter(hole, players) {
  const reach = ((players - 1) / 2) * TRACK + 9;
  /** @param {number} at */
  const middle = (at) => {
    const one = onLine(at, -reach);
    const other = onLine(at, reach);
    return [one, other];
  };
  const [a, b] = middle(hole);
  const [c, d] = middle(hole + 1);
  return { x1: (a.x + c.x) / 2, y1: (a.y + c.y) / 2, x2: (b.x + d.x) / 2, y2: (b.y + d.y) / 2 };
}

/**
 * The holes that a leaping peg passes, at most `most` of them.
 * @param {number} from
 * @param {number} to
 * @param {number} track
 * @param {number} players
 * @param {{ layout?: BoardLayout, most?: number }} [props]
 */
export function path(from, to, track, players, { layout = LONG, most = 30 } = {}) {
  const holes = Math.max(1, to - from);
  const steps = Math.min(most, holes);
  return Array.from({ length: steps + 1 }, (_, at) =>
    layout.holeAt(Math.round(from + (holes * at) / steps), track, players),
  );
}

/** Each hole, and extra points where the line bends. */
const STOPS = Array.from({ length: 120 * 4 }, (_, at) => at / 4 + 1).filter(
  (stop) => stop <= 120 && (Number.isInteger(stop) || isBend(stop)),
);

/** @param {number} stop */
function isBend(stop) {
  return (stop > 35.5 && stop < 45.5) || (stop > 80.5 && stop < 85.5);
}

/**
 * The painted line of a track from the start to the game hole, as SVG path data.
 * @param {number} track
 * @param {number} players
 */
export function trackLine(track, players) {
  const offset = (track - (players - 1) / 2) * TRACK;
  const begin = [holeAt(-1, track, players), holeAt(0, track, players)];
  const holes = [...begin, ...STOPS.map((stop) => onLine(stop, offset))];
  /** @param {Point} point */
  const round = ({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  return `M${holes.map(round).join("L")}`;
}

/** The layout as `board.js` draws it. `numberAt` and `wordAt` return centres of text. */
/** @type {BoardLayout} */
export const LONG = {
  name: "long",
  width: BOARD.width,
  height: 800,
  holeAt,
  lineAfter,
  trackLine,
  numberAt(hole, players) {
    const { x1, y1, x2, y2 } = lineAfter(hole === 120 ? 119 : hole, players);
    return { x: Math.max(x1, x2) + 9, y: (y1 + y2) / 2 - (hole === 120 ? 7 : 0) };
  },
  wordAt(hole, players) {
    const { x1, y1, x2 } = lineAfter(hole, players);
    return { x: Math.min(x1, x2) - 10, y: y1 };
  },
};
