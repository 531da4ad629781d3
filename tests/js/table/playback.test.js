import assert from "node:assert/strict";
import { test } from "node:test";
import { fromView } from "../../../static/js/table/model.js";
import { HOLD, Playback } from "../../../static/js/table/playback.js";
import { requiredAction } from "../../../static/js/table/required_action.js";
import { FakeClock, match } from "../support.js";

function playing(pace = "auto") {
  const clock = new FakeClock();
  const shown = [];
  const heard = [];
  const playback = new Playback({
    clock,
    show: (model) => shown.push(model),
    onEvent: (event) => heard.push(event),
    pace: () => pace,
  });
  return { clock, playback, shown, heard };
}

/** The match's steps up to and including the first full show of two hands and a crib. */
function untilShow() {
  const { first, steps } = match("two-games");
  const at = steps.findIndex(
    ({ events }) => events.flat().filter((event) => event.e === "counted").length === 3,
  );
  return { first, before: steps.slice(0, at), show: steps[at] };
}

function atShow(pace) {
  const parts = playing(pace);
  const { first, before, show } = untilShow();
  parts.playback.reset(first);
  for (const { events, view } of before) {
    parts.playback.push(events.flat(), view);
    parts.playback.finish();
  }
  parts.heard.length = 0;
  parts.playback.push(show.events.flat(), show.view);
  return { ...parts, show };
}

test("at instant pace the table always shows the server's state without waiting", () => {
  const { playback, heard } = playing("instant");
  const { first, steps } = match("three-muggins");
  playback.reset(first);
  for (const { events, view } of steps) {
    playback.push(events.flat(), view);
    assert.equal(playback.busy, false);
    assert.deepEqual(playback.model.scores, view.scores);
    assert.deepEqual(playback.model.mine, view.cards);
  }
  assert.equal(heard.length, steps.flatMap(({ events }) => events.flat()).length);
});

test("at automatic pace the show counts line by line, and the score moves with the total", () => {
  const { playback, clock, show } = atShow("auto");
  const counts = show.events.flat().filter((event) => event.e === "counted");
  let scores = playback.model.scores;
  for (const count of counts) {
    while (playback.waiting?.kind !== "open") clock.pass(50);
    scores = playback.model.scores;
    for (const [at, part] of count.parts.entries()) {
      while (playback.waiting.kind === "open" || playback.model.show.lines.length <= at)
        clock.pass(50);
      assert.deepEqual(playback.model.show.lit, part.cards);
      assert.deepEqual(playback.model.scores, scores);
    }
    while (playback.waiting?.kind !== "total") clock.pass(50);
    assert.equal(playback.model.show.points, count.points);
    assert.deepEqual(playback.model.scores, count.scores);
  }
  clock.pass(60_000);
  assert.equal(playback.busy, false);
  assert.deepEqual(playback.model.mine, show.view.cards);
});

test("at tap pace a click completes the count, and the next one continues", () => {
  const { playback, clock, show } = atShow("tap");
  const count = show.events.flat().find((event) => event.e === "counted");
  while (playback.waiting?.kind !== "open") clock.pass(50);
  playback.advance();
  assert.equal(playback.waiting.kind, "total");
  assert.equal(playback.model.show.points, count.points);
  clock.pass(600_000);
  assert.equal(playback.waiting.kind, "total", "tap waits for the player");
  playback.advance();
  assert.equal(playback.waiting.kind, "open");
});

test("the table blocks only while a count is still to be shown", () => {
  const { playback, clock } = atShow("auto");
  assert.equal(playback.blocking, true);
  clock.pass(120_000);
  assert.equal(playback.blocking, false);
});

test("the result between two games is never skipped, even at instant pace", () => {
  const { playback, clock } = playing("instant");
  const { first, steps } = match("two-games");
  playback.reset(first);
  for (const { events, view } of steps) {
    playback.push(events.flat(), view);
    const won = events.flat().some((event) => event.e === "game_won");
    if (!won || view.phase === "over") continue;
    assert.equal(playback.waiting.kind, "game_won");
    assert.ok(playback.model.won);
    clock.pass(HOLD.game_won);
    assert.equal(playback.busy, false);
    assert.deepEqual(playback.model.scores, [0, 0]);
    return;
  }
  assert.fail("the match has a game that does not end it");
});

test("the count is reset only after the go has been shown", () => {
  const { playback, clock } = playing("auto");
  const { first, steps } = match("two-games");
  playback.reset(first);
  for (const { events, view } of steps) {
    const go = events.flat().find((event) => event.e === "count_ended" && event.reason === "go");
    playback.push(events.flat(), view);
    if (!go) {
      playback.finish();
      continue;
    }
    while (playback.waiting?.kind !== "ended") clock.pass(20);
    assert.notEqual(playback.model.count, 0);
    assert.equal(playback.model.says[go.seat].kind, "go_point");
    clock.pass(HOLD.ended + 1);
    assert.equal(playback.model.count, 0);
    return;
  }
  assert.fail("the match has a go");
});

test("a match that has just started is shown from its cut", () => {
  const { playback, clock, heard } = playing("auto");
  const { steps } = match("two-games");
  const view = { ...steps[0].view, events: [], history: [] };
  playback.open(view);
  assert.deepEqual(playback.model.cut.cards, view.cuts[0]);
  clock.pass(60_000);
  assert.deepEqual(
    heard.map((event) => event.e),
    [...view.cuts.map(() => "cut"), "dealt"],
  );
  assert.deepEqual(playback.model.mine, fromView(view, null).mine);
});

test("events pushed while a beat is held block the table at once", () => {
  const { playback, clock } = playing("auto");
  const { first, before, show } = untilShow();
  const told = [];
  playback.show = () => told.push(playback.blocking);
  playback.reset(first);
  for (const { events, view } of before.slice(0, -1)) {
    playback.push(events.flat(), view);
    playback.finish();
  }
  const last = before.at(-1);
  playback.push(last.events.flat(), last.view);
  assert.equal(playback.blocking, false);
  playback.push(show.events.flat(), show.view);
  assert.equal(told.at(-1), true);
  clock.pass(120_000);
  assert.equal(told.at(-1), false);
});

test("your turn and the final points are told once the cards before them are on the table", () => {
  const { playback, clock } = playing("auto");
  const { first, steps } = match("two-games");
  const seats = ["Ann", "Bob"].map((name, seat) => ({ seat, name }));
  const table = { status: "playing", seats };
  const titles = new Set();
  let view = first;
  playback.reset(first);
  playback.show = (model) => {
    const { blocking, busy, coming } = playback;
    const now = requiredAction({ table, view, model, blocking, busy, coming });
    titles.add(now.title);
    if (now.kind !== "play") return;
    assert.equal(model.plays.length, view.played.flat().length);
    assert.equal(model.starter, view.starter);
  };
  for (const step of steps) {
    view = step.view;
    playback.push(step.events.flat(), view);
    // The other moves before the last card has been shown, the player only after all of them.
    clock.pass(view.waiting.includes(view.seat) ? 60_000 : 500);
  }
  for (const title of ["Your turn: play a card", "Waiting for Ann to play"]) {
    assert.ok(titles.has(title), title);
  }
  assert.ok(!titles.has("Final points"), "the last points of this match are in its show");
});
