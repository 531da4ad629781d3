import assert from "node:assert/strict";
import { test } from "node:test";
import { happened, happenedInHand, happenedInShort } from "../../../static/js/replay/last_event.js";

const dealt = { e: "dealt", game: 1, hand: 3, dealer: 0 };
const threw = { e: "discarded", seat: 1, number: 2 };

const counted = {
  e: "counted",
  seat: 1,
  item: "crib",
  cards: ["5H", "TS", "JC", "QD"],
  parts: [
    { kind: "fifteen", cards: ["5H", "TS"], points: 2 },
    { kind: "fifteen", cards: ["5H", "JC"], points: 2 },
    { kind: "run", cards: ["TS", "JC", "QD"], points: 3 },
  ],
  points: 7,
  total: 7,
  claimed: null,
};

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
  assert.equal(happenedInHand(state(dealt)), "Dealer: you.");
  assert.equal(happened(state(dealt)), "Hand 3. Dealer: you.");
});

test("all other events say the same beside it", () => {
  for (const events of [[], [dealt, threw]])
    assert.equal(happenedInHand(state(...events)), happened(state(...events)));
  assert.equal(happenedInHand(state(dealt, threw)), "Bob threw 2 cards.");
});

test("where there is little room, a count begins with its points", () => {
  assert.equal(
    happenedInShort(state(counted)),
    "Bob, crib: 7 points. 5♥ 10♠ J♣ Q♦. Fifteen two, fifteen four, and a run of three is seven.",
  );
  assert.equal(
    happenedInShort(state({ ...counted, item: "hand", parts: [], points: 0, total: 0 })),
    "Bob, hand: 0 points. 5♥ 10♠ J♣ Q♦.",
  );
  assert.ok(happenedInHand(state(counted)).endsWith("7 points."));
});

test("a count has the colon of the page's language", () => {
  globalThis.gettext = (text) => text.replace(": ", "\u00a0: ");
  try {
    for (const say of [happenedInHand, happenedInShort])
      assert.ok(say(state(counted)).startsWith("Bob, crib\u00a0: "), say(state(counted)));
  } finally {
    delete globalThis.gettext;
  }
});

test("all other events say the same there", () => {
  for (const events of [[], [dealt], [dealt, threw]])
    assert.equal(happenedInShort(state(...events)), happenedInHand(state(...events)));
});
