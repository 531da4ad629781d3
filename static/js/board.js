/* The board: drawn holes, two pegs for each player that leapfrog, the skunk lines. On a phone a thin
   strip for each player says the same. The numbers always stand beside it, in the score plates. */

import { html, useLayoutEffect, useRef } from "../vendor/preact/preact.js";
import { seatName } from "./ask.js";
import { drawnFor } from "./drawn.js";
import { LONG, path } from "./geometry.js";
import { LOOP } from "./loop.js";
import { gettext } from "./texts.js";

const LAYOUTS = { long: LONG, loop: LOOP };
const HOLES = Array.from({ length: 120 }, (_, at) => at + 1);
const LINES = {
  121: [
    [60, "SS"],
    [90, "S"],
  ],
  61: [[30, "S"]],
};
const NUMBERED = [10, 20, 30, 50, 60, 70, 90, 100, 110, 120];

/** The order of tracks: a player finds his own on the inside of the bend, first. */
export function trackOf(seat, me, players) {
  return (seat - (me ?? 0) + players) % players;
}

/** All that a board is drawn of; a view of the server brings equal scores in another list. */
function shown({ state, still }) {
  const { model, ruleset, table, view, settings } = state;
  const { players, me, scores, trailing } = model;
  const numbers = [players, me, ...scores, ...trailing].join();
  return [numbers, ruleset, table, view?.seat, settings?.board, still];
}

export const Board = drawnFor(shown, BoardOf);
export const Strip = drawnFor(shown, StripOf);

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

/** The holes never change while one sits: drawn once. */
const drawn = new Map();

function Holes({ layout, players, me }) {
  const key = `${layout.name}/${players}/${me}`;
  if (!drawn.has(key)) drawn.set(key, drawHoles(layout, players, me));
  return drawn.get(key);
}

function drawHoles(layout, players, me) {
  const { holeAt, trackLine } = layout;
  const tracks = [...Array(players).keys()];
  const home = holeAt(121, 0, players);
  return html`<g class="holes">
    ${tracks.map(
      (track) => html`<g class=${`track seat-${(me + track) % players}`}>
      <path class="lane" d=${trackLine(track, players)} />
      <path class="paint" d=${trackLine(track, players)} />
      ${[-1, 0, ...HOLES].map((hole) => {
        const { x, y } = holeAt(hole, track, players);
        return html`<circle cx=${x.toFixed(1)} cy=${y.toFixed(1)} r="3.1" />`;
      })}</g>`,
    )}
    <circle class="home" cx=${home.x} cy=${home.y} r="4.6" />
    ${NUMBERED.map((hole) => {
      const { x, y } = layout.numberAt(hole, players);
      return html`<text class="number" x=${x} y=${y + 3.5}>${hole}</text>`;
    })}
  </g>`;
}

/** Two pegs: on a score the back one leaps over the front one, hole by hole. */
function Pegs({ layout, seat, track, players, score, trailing, still }) {
  const pegs = useRef([null, null]);
  const at = useRef(null);
  useLayoutEffect(() => {
    const before = at.current;
    if (!before) {
      at.current = { holes: [score, trailing], front: 0 };
    } else {
      const front = before.holes[before.front];
      if (score > front && trailing === front) {
        const mover = 1 - before.front;
        const from = before.holes[mover];
        before.holes[mover] = score;
        before.front = mover;
        if (!still)
          leap(pegs.current[mover], path(Math.max(from, 0), score, track, players, { layout }));
      } else if (score !== front || trailing !== before.holes[1 - before.front]) {
        before.holes = [score, trailing];
        before.front = 0;
      }
    }
    for (const index of [0, 1]) {
      const hole = at.current.holes[index];
      const start = score === 0 && index !== at.current.front;
      const spot = layout.holeAt(start ? -1 : hole, track, players);
      pegs.current[index].setAttribute("transform", `translate(${spot.x} ${spot.y})`);
    }
  }, [score, trailing, players, track, still, layout]);
  return html`${[0, 1].map(
    (index) => html`<g class=${`peg seat-${seat}`}
    ref=${(node) => {
      pegs.current[index] = node;
    }}>
    <circle class="peg-shade" cx="1" cy="1.6" r="5.4" /><circle class="peg-head" r="5.4" />
    <circle class="peg-light" cx="-1.6" cy="-1.8" r="1.6" /></g>`,
  )}`;
}

function leap(node, spots) {
  const frames = spots.flatMap(({ x, y }, at) => {
    const here = { transform: `translate(${x}px, ${y}px)` };
    if (at === 0) return [here];
    // Between two holes it is in the air: nearer to the eye, and a little higher.
    const before = spots[at - 1];
    const [over, up] = [(x + before.x) / 2, (y + before.y) / 2 - 4];
    return [{ transform: `translate(${over}px, ${up}px) scale(1.25)` }, here];
  });
  node.animate(frames, { duration: Math.min(1100, 130 * spots.length) });
}

const LENGTH = 121;

/** The board of a phone: one thin track for each player. */
function StripOf({ state }) {
  const { model, ruleset } = state;
  const target = ruleset?.target ?? LENGTH;
  const seats = [...Array(model.players).keys()].map(
    (at) => ((model.me ?? 0) + at) % model.players,
  );
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
      ${Array.from(
        { length: Math.floor(target / 5) },
        (_, at) => html`<circle class="dot"
        cx=${place((at + 1) * 5)} cy=${row * 11 + 8.5} r="1.1" />`,
      )}
      <circle class="peg-back" cx=${place(model.trailing[seat])} cy=${row * 11 + 8.5} r="3.2" />
      <circle class="peg-head" cx=${place(model.scores[seat])} cy=${row * 11 + 8.5} r="4.4" />
    </g>`,
    )}
  </svg>`;
}
