import assert from "node:assert/strict";
import { test } from "node:test";
import { happened, happenedInHand } from "../../../static/js/replay/last_event.js";

const dealt = { e: "dealt", game: 1, hand: 3, dealer: 0 };
const threw = { e: "discarded", seat: 1, number: 2 };

/** @param {object[]} events */
function state(...events) {
  const seats = ["Ann", "Bob"].map((name, seat) => ({ seat, name, left: null }));
  return {
    view: { seat: 0 },
    table: { seats },
    model: { log: events.map((event) => ({ event })) },
  };
}

test("beside the number of the hand, a deal says only who deals", () => {
  assert.equal(happenedInHand(state(dealt)), "Dealer: You.");
  assert.equal(happened(state(dealt)), "Hand 3. Dealer: You.");
});

test("all other events say the same beside it", () => {
  for (const events of [[], [dealt, threw]])
    assert.equal(happenedInHand(state(...events)), happened(state(...events)));
  assert.equal(happenedInHand(state(dealt, threw)), "Bob threw 2 cards.");
});
