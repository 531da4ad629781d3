/* Geometry of the board in the shape of a "29", the best hand there is: over the head of the 2, down
   to its foot, up the back of the 9, and round to the game hole in its middle. Pure. */

/** @import { BoardLayout, Point, Segment } from "../table/types.js" */

/**
 * A straight piece of the line, or a bend; lengths in pixels, turns in degrees to the right.
 * @typedef {{ straight: number, turn?: undefined } | { straight?: undefined, turn: number, radius: number }} Shape
 */
/** @typedef {Point & { heading: number }} Place */
/** @typedef {Shape & { from: Place, start: number, end: number }} Piece */

const TRACK = 15; // between two tracks
const GAP = 4; // extra, between two groups of five
const START = 44; // distance of the first hole along the line
const LAST = 119; // steps from the first hole to hole 120
const HOME = 24; // from hole 120 to the game hole

/** The line: straight pieces and bends, each starting where the one before ends. */
/** @type {Shape[]} */
const PIECES = [
  { straight: 36 },
  { turn: 225, radius: 84 },
  { straight: 184 },
  { turn: -135, radius: 58 },
  { straight: 288 },
  { turn: -90, radius: 76 },
  { straight: 196 },
  { turn: -270, radius: 92 },
  { straight: 6 },
];

const WIDTH = 536;
const HEIGHT = 488;
const BEGIN = { x: 58, y: 178, heading: -90 };

const LINE = laid(BEGIN, PIECES);
const END = LINE[LINE.length - 1];
const STEP = (END.end - START - Math.floor(LAST / 5) * GAP) / LAST;

/**
 * Each piece with its starting point, and its range along the line.
 * @param {Place} begin
 * @param {Shape[]} pieces
 * @returns {Piece[]}
 */
function laid(begin, pieces) {
  /** @type {Piece[]} */
  const line = [];
  let place = begin;
  let end = 0;
  for (const piece of pieces) {
    const length = piece.straight ?? radians(Math.abs(piece.turn)) * piece.radius;
    const laidPiece = { ...piece, from: place, start: end, end: end + length };
    line.push(laidPiece);
    place = within(laidPiece, length);
    end += length;
  }
  return line;
}

/** @param {number} degrees */
function radians(degrees) {
  return (degrees * Math.PI) / 180;
}

/**
 * The point at distance `along` a piece: x, y and the heading in degrees, 0 to the right, 90 down.
 * @param {Piece} piece
 * @param {number} along
 * @returns {Place}
 */
function within(piece, along) {
  const { x, y, heading } = piece.from;
  if (piece.straight !== undefined) {
    const angle = radians(heading);
    return { x: x + along * Math.cos(angle), y: y + along * Math.sin(angle), heading };
  }
  const side = Math.sign(piece.turn);
  const turned = heading + (side * along * 180) / (Math.PI * piece.radius);
  const [before, after] = [radians(heading), radians(turned)];
  return {
    x: x + side * piece.radius * (Math.sin(after) - Math.sin(before)),
    y: y - side * piece.radius * (Math.cos(after) - Math.cos(before)),
    heading: turned,
  };
}

/**
 * The point at distance `along` the line, `offset` to the right of it.
 * @param {number} along
 * @param {number} offset
 * @returns {Point}
 */
function placeAt(along, offset) {
  const piece = LINE.find(({ end }) => along <= end) ?? END;
  const { x, y, heading } = within(piece, along - piece.start);
  const angle = radians(heading);
  return { x: x - offset * Math.sin(angle), y: y + offset * Math.cos(angle) };
}

/** @param {number} hole */
function alongOf(hole) {
  if (hole <= 0) return START - STEP * 1.6 + hole * STEP;
  return START + (hole - 1) * STEP + Math.floor((hole - 1) / 5) * GAP;
}

/**
 * @param {number} track
 * @param {number} players
 */
function offsetOf(track, players) {
  return (track - (players - 1) / 2) * TRACK;
}

/**
 * @param {number} score
 * @param {number} track
 * @param {number} players
 * @returns {Point}
 */
function holeAt(score, track, players) {
  if (score >= 121) return placeAt(alongOf(120) + HOME, 0);
  return placeAt(alongOf(score <= 0 ? score : Math.min(score, 120)), offsetOf(track, players));
}

/**
 * Half the length of a line across the tracks.
 * @param {number} players
 */
function reachOf(players) {
  return ((players - 1) / 2) * TRACK + 9;
}

/**
 * The distance along the line of the point between `hole` and the next one.
 * @param {number} hole
 */
function between(hole) {
  return (alongOf(hole) + alongOf(hole + 1)) / 2;
}

/**
 * @param {number} hole
 * @param {number} players
 * @returns {Segment}
 */
function lineAfter(hole, players) {
  const reach = reachOf(players);
  const [a, b] = [placeAt(between(hole), -reach), placeAt(between(hole), reach)];
  return { x1: a.x, y1: a.y, x2: b.x, y2: b.y };
}

/**
 * The side of the line with room for a label of `hole`, outside the bend: 1 is right, -1 left.
 * @param {number} hole
 */
function outside(hole) {
  return hole < 33 ? -1 : 1;
}

/**
 * A point beside the line: `side` 1 for outside the bend, -1 for inside.
 * @param {number} along
 * @param {number} hole
 * @param {number} players
 * @param {number} side
 */
function beside(along, hole, players, side) {
  return placeAt(along, side * outside(hole) * (reachOf(players) + 7));
}

/**
 * @param {number} track
 * @param {number} players
 */
function trackLine(track, players) {
  const end = alongOf(120);
  const points = Array.from({ length: Math.ceil(end / 5) }, (_, at) =>
    placeAt(Math.min(end, alongOf(-1) + at * 5), offsetOf(track, players)),
  );
  return `M${points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
}

/** The layout as `board.js` draws it. */
/** @type {BoardLayout} */
export const LOOP = {
  name: "loop",
  width: WIDTH,
  height: HEIGHT,
  holeAt,
  lineAfter,
  trackLine,
  numberAt: (hole, players) => beside(alongOf(hole), hole, players, 1),
  wordAt: (hole, players) => beside(between(hole), hole, players, -1),
};
