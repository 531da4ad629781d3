import assert from "node:assert/strict";
import { test } from "node:test";
import { arrivedName, seatNews } from "../../../static/js/table/arrivals.js";

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

/**
 * What is told when Bob's seat changes at a table of three, seen by Ann.
 * @param {object} before
 * @param {object} after
 */
function news(before, after, status = "playing") {
  const seats = (bob) => [me, { seat: 1, name: "Bob", kind: "guest", ...bob }, { ...tom, seat: 2 }];
  return seatNews(table(seats(before)), { ...table(seats(after)), status });
}

test("a substitute and the player's return are told, once", () => {
  assert.deepEqual(news({ stand_in: null }, { stand_in: "Ada" }), [
    "Bob left. The computer plays on.",
  ]);
  assert.deepEqual(news({ stand_in: "Ada" }, { stand_in: "Ada" }), []);
  assert.deepEqual(news({ stand_in: "Ada" }, { stand_in: null }), ["Bob is back."]);
  assert.deepEqual(news({ stand_in: "Ada" }, { stand_in: null }, "finished"), []);
});

test("a seat that is lost for good is told with its reason, but nothing on loading or of oneself", () => {
  const lost = { stand_in: "Ada", left: "timed_out" };
  assert.deepEqual(news({}, lost), ["Bob ran out of time. The computer plays on."]);
  assert.deepEqual(news({}, { ...lost, left: "left" }), ["Bob left. The computer plays on."]);
  assert.deepEqual(news(lost, lost), []);
  assert.deepEqual(seatNews(null, { ...table([me]), status: "playing" }), []);
  const own = (stand_in) => ({ ...table([{ ...me, stand_in }]), status: "playing" });
  assert.deepEqual(seatNews(own(null), own("Ada")), []);
});

test("with two seats, who stays hears that they win; a watcher does not", () => {
  const told = (left, you) => {
    const seats = (bob) => [me, { seat: 1, name: "Bob", kind: "guest", ...bob }];
    const after = { ...table(seats({ stand_in: "Ada", left })), you, status: "playing" };
    return seatNews({ ...table(seats({})), you }, after);
  };
  assert.deepEqual(told("left", 0), [
    "Bob left, so you win. The computer plays the game to the end.",
  ]);
  assert.deepEqual(told("timed_out", 0), [
    "Bob ran out of time, so you win. The computer plays the game to the end.",
  ]);
  assert.deepEqual(told("left", null), ["Bob left. The computer plays on."]);
});

test("a computer that plays for a connected player is not said to follow a player who left", () => {
  assert.deepEqual(news({ stand_in: null }, { stand_in: "Ada", online: true }), [
    "The computer is playing for Bob now.",
  ]);
});
