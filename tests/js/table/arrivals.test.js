import assert from "node:assert/strict";
import { test } from "node:test";
import { arrivedName } from "../../../static/js/table/arrivals.js";

const me = { seat: 0, name: "Ann", kind: "guest" };
const free = { seat: 1, name: null };
const tom = { seat: 1, name: "Tom", kind: "guest" };

/** @param {object[]} seats */
const table = (seats) => /** @type {any} */ ({ seats, you: 0 });

test("a friend who takes a free seat is named", () => {
  assert.equal(arrivedName(table([me, free]), table([me, tom])), "Tom");
});

test("nobody is named on loading, without a change, for a computer, and for oneself", () => {
  assert.equal(arrivedName(null, table([me, tom])), null);
  assert.equal(arrivedName(table([me, tom]), table([me, tom])), null);
  const computer = { seat: 1, name: "Ada", kind: "computer" };
  assert.equal(arrivedName(table([me, free]), table([me, computer])), null);
  assert.equal(arrivedName(table([{ seat: 0, name: null }, tom]), table([me, tom])), null);
});

test("a player who changes their name has not arrived", () => {
  assert.equal(arrivedName(table([me, tom]), table([me, { ...tom, name: "Tommy" }])), null);
});
