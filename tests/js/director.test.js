import assert from "node:assert/strict";
import { test } from "node:test";
import { Director, HOLD } from "../../static/js/director.js";
import { fromView } from "../../static/js/model.js";
import { FakeClock, match } from "./support.js";

function directing(pace = "auto") {
  const clock = new FakeClock();
  const shown = [];
  const heard = [];
  const director = new Director({
    clock,
    show: (model) => shown.push(model),
    heard: (event) => heard.push(event),
    pace: () => pace,
  });
  return { clock, director, shown, heard };
}

/** The match's steps up to and with the first whole show of two hands and a crib. */
function untilShow() {
  const { first, steps } = match("two-games");
  const at = steps.findIndex(
    ({ events }) => events.flat().filter((event) => event.e === "counted").length === 3,
  );
  return { first, before: steps.slice(0, at), show: steps[at] };
}

function atShow(pace) {
  const parts = directing(pace);
  const { first, before, show } = untilShow();
  parts.director.reset(first);
  for (const { events, view } of before) {
    parts.director.push(events.flat(), view);
    parts.director.finish();
  }
  parts.heard.length = 0;
  parts.director.push(show.events.flat(), show.view);
  return { ...parts, show };
}

test("at once: the whole match is shown as far as the server is, with nothing left to wait for", () => {
  const { director, heard } = directing("instant");
  const { first, steps } = match("three-muggins");
  director.reset(first);
  for (const { events, view } of steps) {
    director.push(events.flat(), view);
    assert.equal(director.busy, false);
    assert.deepEqual(director.model.scores, view.scores);
    assert.deepEqual(director.model.mine, view.cards);
  }
  assert.equal(heard.length, steps.flatMap(({ events }) => events.flat()).length);
});

test("by itself: each line of the count adds its points, and the score moves with the total", () => {
  const { director, clock, show } = atShow("auto");
  const counts = show.events.flat().filter((event) => event.e === "counted");
  let scores = director.model.scores;
  for (const count of counts) {
    while (director.waiting?.kind !== "open") clock.pass(50);
    scores = director.model.scores;
    for (const [at, part] of count.parts.entries()) {
      while (director.waiting.kind === "open" || director.model.show.lines.length <= at)
        clock.pass(50);
      assert.deepEqual(director.model.show.lit, part.cards);
      assert.deepEqual(director.model.scores, scores);
    }
    while (director.waiting?.kind !== "total") clock.pass(50);
    assert.equal(director.model.show.points, count.points);
    assert.deepEqual(director.model.scores, count.scores);
  }
  clock.pass(60_000);
  assert.equal(director.busy, false);
  assert.deepEqual(director.model.mine, show.view.cards);
});

test("a click completes the count and holds its result; the next leads on", () => {
  const { director, clock, show } = atShow("tap");
  const count = show.events.flat().find((event) => event.e === "counted");
  while (director.waiting?.kind !== "open") clock.pass(50);
  director.advance();
  assert.equal(director.waiting.kind, "total");
  assert.equal(director.model.show.points, count.points);
  clock.pass(600_000);
  assert.equal(director.waiting.kind, "total", "tap waits for the player");
  director.advance();
  assert.equal(director.waiting.kind, "open");
});

test("while a count is to come the table blocks, and afterwards it does not", () => {
  const { director, clock } = atShow("auto");
  assert.equal(director.blocking, true);
  clock.pass(120_000);
  assert.equal(director.blocking, false);
});

test("the result of a game between games is never skipped, even at once", () => {
  const { director, clock } = directing("instant");
  const { first, steps } = match("two-games");
  director.reset(first);
  for (const { events, view } of steps) {
    director.push(events.flat(), view);
    const won = events.flat().some((event) => event.e === "game_won");
    if (!won || view.phase === "over") continue;
    assert.equal(director.waiting.kind, "game_won");
    assert.ok(director.model.won);
    clock.pass(HOLD.game_won);
    assert.equal(director.busy, false);
    assert.deepEqual(director.model.scores, [0, 0]);
    return;
  }
  assert.fail("the match has a game that does not end it");
});

test("the count goes back to nothing only after the go has been seen", () => {
  const { director, clock } = directing("auto");
  const { first, steps } = match("two-games");
  director.reset(first);
  for (const { events, view } of steps) {
    const go = events.flat().find((event) => event.e === "count_ended" && event.reason === "go");
    director.push(events.flat(), view);
    if (!go) {
      director.finish();
      continue;
    }
    while (director.waiting?.kind !== "ended") clock.pass(20);
    assert.notEqual(director.model.count, 0);
    assert.equal(director.model.says[go.seat].kind, "go_point");
    clock.pass(HOLD.ended + 1);
    assert.equal(director.model.count, 0);
    return;
  }
  assert.fail("the match has a go");
});

test("a match that has just begun is shown from its cut", () => {
  const { director, clock, heard } = directing("auto");
  const { steps } = match("two-games");
  const view = { ...steps[0].view, events: [], history: [] };
  director.open(view);
  assert.deepEqual(director.model.cut.cards, view.cuts[0]);
  clock.pass(60_000);
  assert.deepEqual(
    heard.map((event) => event.e),
    [...view.cuts.map(() => "cut"), "dealt"],
  );
  assert.deepEqual(director.model.mine, fromView(view, null).mine);
});

test("what is pushed while a beat is held is known at once to be waited for", () => {
  const { director, clock } = directing("auto");
  const { first, before, show } = untilShow();
  const told = [];
  director.show = () => told.push(director.blocking);
  director.reset(first);
  for (const { events, view } of before.slice(0, -1)) {
    director.push(events.flat(), view);
    director.finish();
  }
  const last = before.at(-1);
  director.push(last.events.flat(), last.view);
  assert.equal(director.blocking, false);
  director.push(show.events.flat(), show.view);
  assert.equal(told.at(-1), true);
  clock.pass(120_000);
  assert.equal(told.at(-1), false);
});
