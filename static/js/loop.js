/* The other board: the track runs in the shape of a "29", the best hand there is. Up and over the
   head of the 2, down to its foot, along it and up the back of the 9, and round to the game hole in
   its middle. Pure. */

const TRACK = 15; // between two tracks
const GAP = 4; // more between two groups of five
const START = 44; // how far along the line the first hole is
const LAST = 119; // steps from the first hole to hole 120
const HOME = 24; // from hole 120 to the game hole

/** The line: straight pieces and bends, each from where the one before ends; degrees, to the right. */
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
const STEP = (LINE.at(-1).end - START - Math.floor(LAST / 5) * GAP) / LAST;

/** Each piece with where it begins, and from where to where it is along the line. */
function laid(begin, pieces) {
  const line = [];
  let place = begin;
  let end = 0;
  for (const piece of pieces) {
    const length = piece.straight ?? radians(Math.abs(piece.turn)) * piece.radius;
    line.push({ ...piece, from: place, start: end, end: end + length });
    place = within(line.at(-1), length);
    end += length;
  }
  return line;
}

function radians(degrees) {
  return (degrees * Math.PI) / 180;
}

/** The place `along` a piece: x, y and the heading in degrees, 0 to the right, 90 down. */
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

/** The place `along` the line, `offset` to the right of it. */
function placeAt(along, offset) {
  const piece = LINE.find(({ end }) => along <= end) ?? LINE.at(-1);
  const { x, y, heading } = within(piece, along - piece.start);
  const angle = radians(heading);
  return { x: x - offset * Math.sin(angle), y: y + offset * Math.cos(angle) };
}

function alongOf(hole) {
  if (hole <= 0) return START - STEP * 1.6 + hole * STEP;
  return START + (hole - 1) * STEP + Math.floor((hole - 1) / 5) * GAP;
}

function offsetOf(track, players) {
  return (track - (players - 1) / 2) * TRACK;
}

function holeAt(score, track, players) {
  if (score >= 121) return placeAt(alongOf(120) + HOME, 0);
  return placeAt(alongOf(score <= 0 ? score : Math.min(score, 120)), offsetOf(track, players));
}

/** How far from the line something across it reaches. */
function reachOf(players) {
  return ((players - 1) / 2) * TRACK + 9;
}

/** Between `hole` and the one after it. */
function between(hole) {
  return (alongOf(hole) + alongOf(hole + 1)) / 2;
}

function lineAfter(hole, players) {
  const reach = reachOf(players);
  const [a, b] = [placeAt(between(hole), -reach), placeAt(between(hole), reach)];
  return { x1: a.x, y1: a.y, x2: b.x, y2: b.y };
}

/** On which side of the line a word about `hole` has room: outside of the bend, 1 to the right. */
function outside(hole) {
  return hole < 33 ? -1 : 1;
}

/** A place beside the line: `side` 1 for outside, -1 for inside. */
function beside(along, hole, players, side) {
  return placeAt(along, side * outside(hole) * (reachOf(players) + 7));
}

function trackLine(track, players) {
  const end = alongOf(120);
  const points = Array.from({ length: Math.ceil(end / 5) }, (_, at) =>
    placeAt(Math.min(end, alongOf(-1) + at * 5), offsetOf(track, players)),
  );
  return `M${points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
}

/** The board as `board.js` draws it; see `LONG` of geometry.js for what each part means. */
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
