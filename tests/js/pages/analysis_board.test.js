/* The rows of the analysis board: what a tap on a card of the pack does. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Board, tapped, tokensOf } from "../../../static/js/pages/analysis_board.js";

const EMPTY = { cards: [], starter: [], plays: [], thrown: [], seen: [] };

test("a text is read as cards and goes", () => {
  assert.deepEqual(tokensOf("7h JS go 10d"), ["7H", "JS", "go", "TD"]);
  assert.deepEqual(tokensOf("go 5H"), ["go", "5H"]);
  assert.deepEqual(tokensOf(""), []);
  assert.equal(tokensOf("7H nonsense"), null);
});

test("a tap puts a card into the chosen row, and a second tap takes it back", () => {
  const once = tapped(EMPTY, "cards", "5H", 6);
  assert.deepEqual(once, { ...EMPTY, cards: ["5H"] });
  assert.deepEqual(once && tapped(once, "cards", "5H", 6), EMPTY);
});

test("a full row takes no more cards", () => {
  assert.equal(tapped({ ...EMPTY, thrown: ["2C", "3C"] }, "thrown", "5H", 2), null);
});

test("a card is in one row only, but a played one stays in the hand", () => {
  const held = { ...EMPTY, cards: ["5H", "6S"] };
  assert.deepEqual(tapped(held, "thrown", "5H", 2), { ...EMPTY, cards: ["6S"], thrown: ["5H"] });
  assert.deepEqual(tapped(held, "plays", "5H", 16), { ...held, plays: ["5H"] });
});

test("a new starter replaces the old one", () => {
  const cut = { ...EMPTY, starter: ["QD"] };
  assert.deepEqual(tapped(cut, "starter", "KD", 1), { ...EMPTY, starter: ["KD"] });
});

test("failed requests are repeated less and less often, and then only by the reader", () => {
  const waits = /** @type {number[]} */ ([]);
  const board = {
    form: { dataset: { lost: "The server can't be reached." } },
    status: { textContent: "", classList: { add() {} } },
    again: { hidden: true },
    failed: 0,
    askSoon: (/** @type {number} */ ms) => waits.push(ms),
  };
  for (let n = 0; n < 20; n += 1) Board.prototype.fail.call(/** @type {any} */ (board), "lost");
  assert.ok(waits.length > 2 && waits.length < 10, "it gives up");
  assert.ok(waits[0] >= 1000);
  for (const [at, wait] of waits.entries()) assert.ok(at === 0 || wait > waits[at - 1]);
  assert.equal(board.again.hidden, false);
});
