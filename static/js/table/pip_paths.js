/* All pips of a card as the data of one SVG path. A card is drawn anew each time it moves to another
   place, and one path costs the browser far less than a dozen references to a symbol. */

/** @typedef {keyof typeof OUTLINES} Suit */
/** @typedef {{ x: number, y: number, size: number, turned?: boolean }} PipSpot - x and y of its centre */

const BOX = 1200; // the side of the square around the origin in which the outlines are drawn

/**
 * Each suit's outline: its first point, then relative steps only, so that scaling every number scales
 * the pip, and negating every number turns it by half. The same shapes as in cards/deck.svg.
 */
const OUTLINES = {
  C: {
    from: [30, 150],
    steps:
      "c5 235 55 250 100 350l-260 0c45 -100 95 -115 100 -350 0 -6 -4 -10 -10 -10 -6 0 -10 4 -10 10 -17 93 -94 163 -189 171 -94 8 -182 -48 -215 -137 -32 -88 -2 -188 75 -243 77 -55 182 -52 255 8 4 3 10 3 13 -1 4 -3 4 -9 1 -13 -92 -50 -139 -157 -113 -259 26 -102 118 -173 223 -173 105 0 197 71 223 173 26 102 -21 209 -113 259 -3 4 -3 10 1 13 3 4 9 4 13 1 73 -60 178 -63 255 -8 77 55 107 155 75 243 -33 89 -121 145 -215 137 -95 -8 -172 -78 -189 -171 0 -6 -4 -10 -10 -10 -6 0 -10 4 -10 10z",
  },
  D: {
    from: [-400, 0],
    steps:
      "c50 0 400 -450 400 -500 0 50 350 500 400 500 -50 0 -400 450 -400 500 0 -50 -350 -500 -400 -500z",
  },
  H: {
    from: [0, -300],
    steps:
      "c0 -100 100 -200 200 -200 100 0 200 100 200 250 0 250 -400 650 -400 750 0 -100 -400 -500 -400 -750 0 -150 100 -250 200 -250 100 0 200 100 200 200z",
  },
  S: {
    from: [0, -500],
    steps:
      "c100 250 355 400 355 685 0 83 -67 150 -150 150 -83 0 -150 -67 -150 -150 0 -6 -4 -10 -10 -10 -6 0 -10 4 -10 10 0 200 50 215 95 315l-260 0c45 -100 95 -115 95 -315 0 -6 -4 -10 -10 -10 -6 0 -10 4 -10 10 0 83 -67 150 -150 150 -83 0 -150 -67 -150 -150 0 -285 255 -435 355 -685z",
  },
};

/**
 * The path data of pips at these places.
 * @param {Suit} suit
 * @param {PipSpot[]} spots
 */
export function pipPaths(suit, spots) {
  const { from, steps } = OUTLINES[suit];
  return spots
    .map(({ x, y, size, turned }) => {
      const scale = (turned ? -size : size) / BOX;
      /** @param {number} number */
      const scaled = (number) => Number((number * scale).toFixed(2));
      const start = `${x + scaled(from[0])} ${y + scaled(from[1])}`;
      return `M${start}${steps.replace(/-?\d+/g, (number) => `${scaled(Number(number))}`)}`;
    })
    .join("");
}
