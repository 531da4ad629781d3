import assert from "node:assert/strict";
import { test } from "node:test";
import { picksKept } from "../../../static/js/table/picked_cards.js";

function viewOf(hand, action, cards) {
  return { v: 7, game: 1, hand, seat: 0, legal: { action, cards, number: 2, claims: false } };
}

/** Returns which cards picked under one view stay picked under the next. */
function keptOf(before, chosen, after) {
  return picksKept({ view: before, chosen, hint: null }, after).chosen;
}

test("cards stay picked while the same decision is asked", () => {
  const before = viewOf(1, "discard", ["3D", "2S", "5H"]);
  assert.deepEqual(keptOf(before, ["3D", "2S"], { ...before, v: 8 }), ["3D", "2S"]);
  assert.deepEqual(keptOf(before, ["3D", "2S"], viewOf(1, "discard", ["2S", "5H"])), ["2S"]);
});

test("a card played last is not picked when it is dealt again", () => {
  const before = viewOf(1, "play", ["5H"]);
  assert.deepEqual(keptOf(before, ["5H"], viewOf(2, "discard", ["5H", "3D", "2S"])), []);
  assert.deepEqual(keptOf(viewOf(1, "discard", ["5H"]), ["5H"], viewOf(1, "play", ["5H"])), []);
  assert.deepEqual(keptOf(null, ["5H"], viewOf(1, "play", ["5H"])), []);
});

test("a hint does not carry over to the next hand, even with the same cards", () => {
  const hint = { action: "discard", cards: ["3D", "2S"], advice: "", reasons: [] };
  const before = viewOf(1, "discard", ["3D", "2S", "5H"]);
  const after = (view) => picksKept({ view: before, chosen: [], hint }, view).hint;
  assert.equal(after({ ...before, v: 8 }), hint);
  assert.equal(after(viewOf(2, "discard", ["3D", "2S", "KH"])), null);
  assert.equal(after({ ...before, game: 2 }), null);
});
