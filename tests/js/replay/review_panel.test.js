import assert from "node:assert/strict";
import { test } from "node:test";
import {
  cardText,
  chancesAt,
  decisionAt,
  nextWrong,
} from "../../../static/js/replay/review_panel.js";

const ITEMS = [
  { step: 2, verdict: "best", wrong: false },
  { step: 5, verdict: "mistake", wrong: true },
  { step: 9, verdict: "blunder", wrong: true },
];

test("a step shows the decision that led to it", () => {
  assert.equal(decisionAt(ITEMS, 6).verdict, "mistake");
  assert.equal(decisionAt(ITEMS, 5), undefined);
  assert.equal(decisionAt([], 3), undefined);
});

test("next and previous lead to the mistakes after and before the one shown", () => {
  assert.equal(nextWrong(ITEMS, 0, 1).step, 5);
  assert.equal(nextWrong(ITEMS, 6, 1).step, 9);
  assert.equal(nextWrong(ITEMS, 10, 1), undefined);
  assert.equal(nextWrong(ITEMS, 10, -1).step, 5);
  assert.equal(nextWrong(ITEMS, 6, -1), undefined);
});

test("a step without a chance of its own has that of the step before", () => {
  const chances = { 2: [0.6, 0.4], 7: [0.3, 0.7] };
  assert.deepEqual(chancesAt(chances, 2), [0.6, 0.4]);
  assert.deepEqual(chancesAt(chances, 6), [0.6, 0.4]);
  assert.deepEqual(chancesAt(chances, 90), [0.3, 0.7]);
  assert.equal(chancesAt(chances, 1), null);
  assert.equal(chancesAt({}, 5), null);
});

test("a card is written with its suit symbol, and a ten as 10", () => {
  assert.equal(cardText("TH"), "10♥");
  assert.equal(cardText("AC"), "A♣");
});
