import assert from "node:assert/strict";
import { test } from "node:test";
import { wishes } from "../../../static/js/table/after_match.js";

/** The state after a match, seen from seat 0. */
function state(wanted, swapped) {
  return { view: { seat: 0 }, table: { rematch: { wanted, swapped } } };
}

test("a rematch is offered first while nobody has asked", () => {
  assert.deepEqual(wishes(state([], [])), { own: null, others: null, main: "rematch" });
});

test("what the other asked for is offered first, to be accepted", () => {
  assert.equal(wishes(state([1], [])).main, "rematch");
  assert.equal(wishes(state([], [1])).main, "swap");
});

test("of two different wishes each player is offered the other's", () => {
  assert.deepEqual(wishes(state([0], [1])), { own: "rematch", others: "swap", main: "swap" });
  assert.deepEqual(wishes(state([1], [0])), { own: "swap", others: "rematch", main: "rematch" });
});
