/* Where the holes of a board are. The board is the long one of 120 holes and a game hole: up one
   side, round the top, down the other, round the foot, and home up the middle. Pure. */

export const BOARD = { width: 250, top: 106, foot: 690, left: 46, right: 204, middle: 124 };

const STEP = 15.2; // between two holes
const GAP = 6.2; // more between two groups of five
const TRACK = 15; // between two tracks

const SMALL = (BOARD.right - BOARD.middle) / 2;
const LARGE = (BOARD.right - BOARD.left) / 2;

/** How far the hole at `index` (0 for the first of its leg) is along a straight leg. */
function along(index) {
  return index * STEP + Math.floor(index / 5) * GAP;
}

/** The middle of hole `hole` of the track that is `offset` from the line's middle. */
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

/** Holes of a half circle stand in the middle of equal parts of it. */
function turn(index, holes) {
  return (index + 0.5) / holes;
}

function around(x, y, radius, angle, side) {
  return { x: x + radius * Math.cos(angle), y: y + side * radius * Math.sin(angle) };
}

/**
 * The hole of `seat` of `players` at `score`: 0 and -1 are the two starting holes, 121 the game
 * hole, which all tracks share.
 */
export function holeAt(score, track, players) {
  const offset = (track - (players - 1) / 2) * TRACK;
  if (score <= 0) return { x: BOARD.left - offset, y: BOARD.foot + 22 - score * STEP };
  if (score >= 121) return { x: BOARD.middle, y: BOARD.foot - along(34) - STEP * 1.9 };
  return onLine(score, offset);
}

/** A short line across the tracks between `hole` and the one after it. */
export function lineAfter(hole, players) {
  const reach = ((players - 1) / 2) * TRACK + 9;
  const middle = (at) => {
    const one = onLine(at, -reach);
    const other = onLine(at, reach);
    return [one, other];
  };
  const [a, b] = middle(hole);
  const [c, d] = middle(hole + 1);
  return { x1: (a.x + c.x) / 2, y1: (a.y + c.y) / 2, x2: (b.x + d.x) / 2, y2: (b.y + d.y) / 2 };
}

/** The holes that a peg passes on its way, for the leap: at most `most` of them. */
export function path(from, to, track, players, most = 30) {
  const holes = Math.max(1, to - from);
  const steps = Math.min(most, holes);
  return Array.from({ length: steps + 1 }, (_, at) =>
    holeAt(Math.round(from + (holes * at) / steps), track, players),
  );
}

/** The painted line of a track, as the data of an SVG path: from the start to the game hole. */
export function trackLine(track, players) {
  const holes = Array.from({ length: 122 }, (_, at) => holeAt(at - 1, track, players));
  const round = ({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  return `M${holes.map(round).join("L")}`;
}
