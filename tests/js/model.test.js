import assert from "node:assert/strict";
import { test } from "node:test";
import { applyEvent, cutEvents, fromView, moved } from "../../static/js/model.js";
import { match } from "./support.js";

/** What the events alone must get right, and the field of the view that says so. */
const SAME = {
  scores: "scores",
  trailing: "trailing",
  mine: "cards",
  sizes: "hand_sizes",
  discarded: "discarded",
  cribSize: "crib_size",
  starter: "starter",
  count: "count",
  gos: "gos",
  dealer: "dealer",
  pone: "pone",
  game: "game",
  hand: "hand",
};

for (const name of ["two-games", "three-muggins"]) {
  test(`along ${name}, events alone lead to what the server's views say`, () => {
    const { first, steps } = match(name);
    let model = fromView(first, null);
    for (const { events, view, v } of steps) {
      for (const event of events.flat()) model = applyEvent(model, event, { view });
      if (view.phase !== "over") {
        for (const [field, theirs] of Object.entries(SAME)) {
          assert.deepEqual(model[field], view[theirs], `${field} after move ${v}`);
        }
        const pile = model.plays.filter((play) => play.run === model.run);
        assert.deepEqual(
          pile.map(({ seat, card }) => [seat, card]),
          view.pile,
          `pile after move ${v}`,
        );
      }
      model = fromView(view, model);
    }
    assert.equal(model.phase, "over");
    assert.ok(model.over);
  });

  test(`a whole view of ${name} gives the log of its last game`, () => {
    const { steps, first, last } = match(name);
    let model = fromView(first, null);
    for (const { events, view } of steps) {
      for (const event of events.flat()) model = applyEvent(model, event, { view });
    }
    const played = model.log.filter((entry) => entry.game === last.game).map(({ event }) => event);
    const whole = fromView(last, null);
    assert.deepEqual(
      whole.log.map(({ event }) => event),
      [...played.slice(played.findIndex((event) => event.e === "dealt") - last.cuts.length)],
    );
    assert.deepEqual(whole.scores, model.scores);
  });
}

test("models are never changed, only made anew", () => {
  const { first, steps } = match("two-games");
  let model = fromView(first, null);
  const frozen = (value) => {
    if (value && typeof value === "object") {
      Object.freeze(value);
      Object.values(value).forEach(frozen);
    }
    return value;
  };
  for (const { events, view } of steps.slice(0, 40)) {
    for (const event of events.flat()) model = applyEvent(frozen(model), event, { view });
    model = fromView(view, frozen(model));
  }
  assert.equal(model.hand, steps[39].view.hand);
});

test("the front peg that is passed becomes the back peg", () => {
  const model = { scores: [10, 4], trailing: [8, 0] };
  assert.deepEqual(moved(model, [16, 4]), { scores: [16, 4], trailing: [10, 0] });
  assert.deepEqual(moved(model, [10, 4]), { scores: [10, 4], trailing: [8, 0] });
});

test("the cut that a view tells names the dealer only where one was found", () => {
  const view = {
    cuts: [
      ["5H", "5C"],
      ["KD", "2S"],
    ],
    dealer: 1,
  };
  assert.deepEqual(cutEvents(view), [
    { e: "cut", cards: ["5H", "5C"], dealer: null },
    { e: "cut", cards: ["KD", "2S"], dealer: 1 },
  ]);
});

test("a view without events, met for the first time, still shows every card played", () => {
  const { steps } = match("two-games");
  const { view } = steps.find((step) => step.view.played.flat().length === 5);
  const { plays } = fromView(view, null);
  assert.deepEqual(plays.map((play) => play.card).sort(), view.played.flat().sort());
});

test("a whole view tells the games before, and shows the present one", () => {
  const { first, steps } = match("two-games");
  const { view } = steps.at(-1);
  const before = steps.flatMap(({ events }) => events.flat());
  const at = before.findIndex((event) => event.e === "game_won");
  const earlier = [before.slice(0, at + 1)];
  const whole = { ...view, events: [], history: [], cuts: [], ruleset: first.ruleset };
  const model = fromView({ ...whole, earlier }, null);
  assert.deepEqual(
    model.log.map(({ event }) => event),
    earlier[0],
  );
  assert.deepEqual(model.scores, view.scores);
  assert.equal(fromView(whole, null).log.length, 0);
});
