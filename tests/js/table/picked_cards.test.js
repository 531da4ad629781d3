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

const PENDING = { chosen: [], claimPoints: null, calling: false, callPoints: null, hint: null };

/** A view of the play in which seat 1 has claimed too little and seat 0 is to play. */
function claimed(asked, sizes = [4, 3, 4]) {
  const legal = { action: "play", cards: ["5H"], number: 1, claims: true, muggins: true };
  const claim = asked.length ? { seat: 1, item: "play", asked } : null;
  return { ...viewOf(1, "play", ["5H"]), legal, claim, hand_sizes: sizes };
}

test("another player's call leaves the points chosen for one's own card", () => {
  const before = { ...PENDING, view: claimed([0, 2]), chosen: ["5H"], claimPoints: 2 };
  assert.equal(picksKept(before, claimed([0])).claimPoints, 2);
  assert.equal(picksKept(before, claimed([])).claimPoints, 2);
  assert.equal(picksKept(before, claimed([0, 2], [3, 3, 4])).claimPoints, null);
});

test("another player's answer leaves the grid for a call open, the next claim closes it", () => {
  const legal = { action: "answer", cards: [], number: 0, claims: false, muggins: true };
  const answer = (seat, item, asked) => {
    const claim = { seat, item, asked };
    return { ...viewOf(1, "answer", []), legal, claim, hand_sizes: [0, 0, 0] };
  };
  const before = { ...PENDING, view: answer(1, "hand", [0, 2]), calling: true, callPoints: 4 };
  const kept = (view) => {
    const { calling, callPoints } = picksKept(before, view);
    return [calling, callPoints];
  };
  assert.deepEqual(kept(answer(1, "hand", [0])), [true, 4]);
  assert.deepEqual(kept(answer(1, "crib", [0, 2])), [false, null]);
  assert.deepEqual(kept(viewOf(2, "discard", ["5H"])), [false, null]);
});

test("points chosen for a hand are not those of the crib", () => {
  const counting = (item) => ({
    ...viewOf(1, "claim", []),
    counting: { seat: 0, item, cards: [] },
    hand_sizes: [0, 0],
  });
  const before = { ...PENDING, view: counting("hand"), claimPoints: 8 };
  assert.equal(picksKept(before, { ...counting("hand"), v: 8 }).claimPoints, 8);
  assert.equal(picksKept(before, counting("crib")).claimPoints, null);
});
