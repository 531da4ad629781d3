import assert from "node:assert/strict";
import { test } from "node:test";
import {
  applyEvent,
  cutEvents,
  fromView,
  missingGame,
  moved,
  withGame,
} from "../../../static/js/table/model.js";
import { match } from "../support.js";

/** Model fields that events alone must get right -> the view field that they must equal. */
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
  test(`throughout ${name}, the model built from events agrees with the server's views`, () => {
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

  test(`a full view of ${name} gives the log of its last game`, () => {
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

test("models are never mutated", () => {
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

test("when a player scores, the front peg's old place becomes the back peg's", () => {
  const model = { scores: [10, 4], trailing: [8, 0] };
  assert.deepEqual(moved(model, [16, 4]), { scores: [16, 4], trailing: [10, 0] });
  assert.deepEqual(moved(model, [10, 4]), { scores: [10, 4], trailing: [8, 0] });
});

test("a view's cuts name the dealer only for the cut that decided", () => {
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

test("a first view without events still shows every card played", () => {
  const { steps } = match("two-games");
  const { view } = steps.find((step) => step.view.played.flat().length === 5);
  const { plays } = fromView(view, null);
  assert.deepEqual(plays.map((play) => play.card).sort(), view.played.flat().sort());
});

/** The events of the first game of a two-game match, and its last view as a full one. */
function secondGame() {
  const { first, steps } = match("two-games");
  const { view } = steps.at(-1);
  const events = steps.flatMap((step) => step.events.flat());
  const at = events.findIndex((event) => event.e === "game_won");
  const log = { cuts: [["KD", "2S"]], events: [], history: [] };
  const whole = { ...view, ...log, ruleset: first.ruleset };
  return { whole, events: events.slice(0, at + 1) };
}

test("a full view has the game in progress, and an earlier game is put before it", () => {
  const { whole, events } = secondGame();
  const model = fromView(whole, null);
  assert.deepEqual(new Set(model.log.map(({ event }) => event.e)), new Set(["cut"]));
  assert.equal(missingGame(model), 1);
  const both = withGame(model, { game: 1, events });
  assert.deepEqual(
    both.log.map(({ event }) => event),
    [...events, ...model.log.map(({ event }) => event)],
  );
  assert.deepEqual({ ...both, log: [] }, { ...model, log: [] });
  assert.equal(missingGame(both), null);
  assert.equal(withGame(both, { game: 1, events }), both, "a repeated game is added once");
});

test("another full view keeps the log of earlier games and repeats nothing", () => {
  const { whole, events } = secondGame();
  const both = withGame(fromView(whole, null), { game: 1, events });
  assert.deepEqual(fromView(whole, both), both);
});

test("a match followed from the start misses no game", () => {
  const { first, steps } = match("two-games");
  let model = fromView(first, null);
  for (const { events, view } of steps) {
    for (const event of events.flat()) model = applyEvent(model, event, { view });
    model = fromView(view, model);
  }
  assert.equal(missingGame(model), null);
  const { whole } = secondGame();
  const own = model.log.filter(({ game }) => game === 2).length;
  const again = fromView(whole, model);
  assert.equal(again.log.filter(({ game }) => game === 1).length, model.log.length - own);
});
