import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULTS, load, save } from "../../static/js/access/preferences.js";
import { soundOf } from "../../static/js/access/sounds.js";
import { holeAt, LONG, path } from "../../static/js/board/long_board.js";
import { LOOP } from "../../static/js/board/loop_board.js";
import { ordered, toggled } from "../../static/js/table/hand_order.js";
import { fromView } from "../../static/js/table/model.js";
import { countAfter, requiredAction } from "../../static/js/table/required_action.js";
import { cardName } from "../../static/js/text/card_names.js";
import { logLine, recap, spoken } from "../../static/js/text/event_sentences.js";
import { fill } from "../../static/js/text/translations.js";
import { match } from "./support.js";

const table = {
  status: "playing",
  seats: [
    { seat: 0, name: "Ann" },
    { seat: 1, name: "Bob" },
    { seat: 2, name: "Cy" },
  ],
};

function stateOf(view, before = null) {
  return { table, view, model: fromView(view, before), blocking: false };
}

test("picking a third card drops the oldest; picking a card again unpicks it", () => {
  assert.deepEqual(toggled(["5H", "2C"], "KD", 2), ["2C", "KD"]);
  assert.deepEqual(toggled(["5H", "2C"], "5H", 2), ["2C"]);
});

test("a hand is sorted by rank, ace low, or kept as dealt", () => {
  assert.deepEqual(ordered(["KD", "AS", "TH", "2C"], "rank"), ["AS", "2C", "TH", "KD"]);
  assert.deepEqual(ordered(["KD", "AS"], "dealt"), ["KD", "AS"]);
});

test("the count after a card is predicted from its value", () => {
  assert.deepEqual(
    ["AS", "9D", "TH", "KC"].map((card) => countAfter(20, card)),
    [21, 29, 30, 30],
  );
});

test("the player who must act is named, or asked directly", () => {
  for (const { view } of match("three-muggins").steps) {
    const now = requiredAction(stateOf(view));
    if (view.phase === "over") assert.equal(now.kind, "over");
    else if (view.waiting.includes(view.seat)) assert.equal(now.own, true);
    else assert.match(now.title, /Ann|Cy/);
  }
});

test("the last plays before a count are no longer the play only once all cards are played", () => {
  const { first } = match("two-games");
  const plays = [{ seat: 0, card: "5H" }];
  const titled = (sizes) => {
    const state = stateOf(first);
    const model = { ...state.model, phase: "play", show: null, cut: null, won: null, plays, sizes };
    return requiredAction({ ...state, model, blocking: true }).title;
  };
  assert.equal(titled([2, 1, 0]), "The play");
  assert.equal(titled([0, 0, 0]), "All cards played");
});

test("every event can be spoken and logged, and points in the log have a reason", () => {
  for (const name of ["two-games", "three-muggins"]) {
    for (const { events, view } of match(name).steps) {
      const state = stateOf(view);
      for (const event of events.flat()) {
        assert.doesNotMatch(spoken(state, event), /undefined|%\(/);
        const line = logLine(state, event);
        if (!line) continue;
        assert.doesNotMatch(`${line.head ?? ""} ${line.text}`, /undefined|%\(/);
        if (line.points) assert.ok(line.text.length > 1);
      }
    }
  }
});

test("a recap gives the count, the turn and the opponent's last card", () => {
  const { first, steps } = match("two-games");
  let model = fromView(first, null);
  const at = steps.findIndex(
    ({ view, events }) =>
      view.phase === "play" && view.legal.action === "play" && events.flat().at(-1).e === "played",
  );
  for (const { events, view } of steps.slice(0, at + 1)) {
    model = fromView(
      {
        ...view,
        events: [...model.log.map((e) => e.event), ...events.flat()],
        history: [],
        cuts: [],
      },
      null,
    );
  }
  const text = recap({ table, view: steps[at].view, before: steps[at].view });
  assert.match(text, /^count \d+, your turn, Ann played (10|[A2-9JQK])[♣♦♥♠]$/);
});

/** Returns all holes of a board. */
function holesOf(layout, players) {
  const holes = [layout.holeAt(121, 0, players)];
  for (let track = 0; track < players; track += 1) {
    for (let score = -1; score <= 120; score += 1) holes.push(layout.holeAt(score, track, players));
  }
  return holes;
}

test("holes lie on the board and never touch, for two and three players", () => {
  for (const layout of [LONG, LOOP]) {
    for (const players of [2, 3]) {
      const holes = holesOf(layout, players);
      for (const [a, { x, y }] of holes.entries()) {
        const where = `${layout.name}, ${players} players, hole ${a}`;
        assert.ok(x > 10 && x < layout.width - 10, `${where} is at ${x}`);
        assert.ok(y > 10 && y < layout.height - 10, `${where} is at ${y}`);
        for (const other of holes.slice(a + 1)) {
          const apart = Math.hypot(x - other.x, y - other.y);
          assert.ok(apart > 8, `${where} is ${apart.toFixed(1)} from another`);
        }
      }
    }
  }
});

test("holes of the loop board are close together, with gaps between groups of five", () => {
  const step = (hole) => {
    const [a, b] = [LOOP.holeAt(hole, 0, 2), LOOP.holeAt(hole + 1, 0, 2)];
    return Math.hypot(a.x - b.x, a.y - b.y);
  };
  for (let hole = 1; hole < 120; hole += 1) assert.ok(step(hole) < 25, `after hole ${hole}`);
  for (const hole of [50, 55, 60]) assert.ok(step(hole) > step(hole + 2) + 2, `after ${hole}`);
});

test("a peg moves hole by hole from its old place to the new one", () => {
  const holes = path(4, 9, 0, 2);
  assert.equal(holes.length, 6);
  assert.deepEqual(holes.at(-1), holeAt(9, 0, 2));
  const round = path(4, 9, 0, 2, { layout: LOOP });
  assert.deepEqual(
    round,
    [4, 5, 6, 7, 8, 9].map((hole) => LOOP.holeAt(hole, 0, 2)),
  );
});

test("settings are restored as saved; broken or unknown values are dropped", () => {
  const kept = new Map();
  const storage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => kept.set(key, text),
  };
  save({ ...DEFAULTS, deck: "large", old: 1 }, storage);
  assert.deepEqual(load(storage), { ...DEFAULTS, deck: "large" });
  for (const key of kept.keys()) kept.set(key, "{");
  assert.deepEqual(load(storage), DEFAULTS);
});

test("placeholders are filled in, and cards have names", () => {
  assert.equal(fill("%(name)s has %(n)s", { name: "Ann", n: 2 }), "Ann has 2");
  assert.equal(cardName("TH"), "ten of hearts");
});

test("points, cards and the end of a match have different sounds", () => {
  assert.equal(soundOf({ e: "played", points: 2 }, 0), "peg");
  assert.equal(soundOf({ e: "played", points: 0 }, 0), "card");
  assert.equal(soundOf({ e: "match_over", winner: 1 }, 0), "loss");
});
