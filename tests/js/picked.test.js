import assert from "node:assert/strict";
import { test } from "node:test";
import { Controller } from "../../static/js/controller.js";

function viewOf(hand, action, cards) {
  return { v: 7, game: 1, hand, seat: 0, legal: { action, cards, number: 2, claims: false } };
}

/** What is left of the cards picked under one view when the next one comes. */
function keptOf(before, chosen, after) {
  const store = { get: () => ({ view: before, chosen, hint: null }) };
  const act = new Controller({
    store,
    url: "ws://nowhere/",
    match: "m",
    announcer: {},
    sounds: {},
  });
  return act.tidied(after).chosen;
}

test("cards picked stay picked while the same is asked", () => {
  const before = viewOf(1, "discard", ["3D", "2S", "5H"]);
  assert.deepEqual(keptOf(before, ["3D", "2S"], { ...before, v: 8 }), ["3D", "2S"]);
  assert.deepEqual(keptOf(before, ["3D", "2S"], viewOf(1, "discard", ["2S", "5H"])), ["2S"]);
});

test("a card played last is not picked when the next deal holds it", () => {
  const before = viewOf(1, "play", ["5H"]);
  assert.deepEqual(keptOf(before, ["5H"], viewOf(2, "discard", ["5H", "3D", "2S"])), []);
  assert.deepEqual(keptOf(viewOf(1, "discard", ["5H"]), ["5H"], viewOf(1, "play", ["5H"])), []);
  assert.deepEqual(keptOf(null, ["5H"], viewOf(1, "play", ["5H"])), []);
});
