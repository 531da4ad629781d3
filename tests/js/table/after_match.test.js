import assert from "node:assert/strict";
import { test } from "node:test";
import {
  After,
  agreed,
  awaited,
  fellThrough,
  stalled,
  wishes,
} from "../../../static/js/table/after_match.js";

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

test("a rematch that was asked for says whom it waits for", () => {
  const seats = ["Ann", "Bob", "Cy"].map((name, seat) => ({ seat, name, kind: "guest" }));
  const asked = (wanted, swapped = []) => {
    const { view, table } = state(wanted, swapped);
    return awaited({ view, table: { ...table, seats } });
  };
  assert.deepEqual(asked([]), [], "nobody waits before asking");
  assert.deepEqual(asked([1]), []);
  assert.deepEqual(asked([0]), [1, 2]);
  assert.deepEqual(asked([0, 1]), [2]);
  assert.deepEqual(asked([0], [1, 2]), [1, 2], "a different wish is no agreement");
  Object.assign(seats[1], { kind: "computer" });
  Object.assign(seats[2], { stand_in: "Ada" });
  assert.deepEqual(asked([0]), [], "computers need not agree");
});

test("who has blocked the opponent is offered no rematch, nor told that they wish for one", () => {
  const shown = (blocked) => {
    const asked = state([1], []);
    const seats = ["Ann", "Bob"].map((name, seat) => ({ seat, name, kind: "person" }));
    Object.assign(asked.table, { match: "m", seats });
    Object.assign(asked.table.rematch, { can_swap: true, offered: true, possible: true });
    return JSON.stringify(After({ state: { ...asked, chat: { blocked } }, act: {} }));
  };
  const below = "above, it would move the links";
  assert.match(shown([]), /Leave the table.*would like a rematch/, below);
  assert.match(shown([]), /WishButton|"wish"/);
  assert.doesNotMatch(shown([1]), /would like a rematch|"wish"/);
});

test("after the lesson a full game is the main choice, and a rematch a quiet one", () => {
  const choices = (lesson) => {
    const after = state([], []);
    const seats = ["Ann", "Poppy"].map((name, seat) => ({ seat, name, kind: "guest" }));
    Object.assign(after.table, { match: "m", seats });
    Object.assign(after.table.rematch, { can_swap: false, offered: true, possible: true });
    const tree = JSON.stringify(After({ state: { ...after, lesson, chat: null }, act: {} }));
    return {
      full: tree.includes("/#play"),
      main: /"main":true/.test(tree),
      quiet: /"wish"/.test(tree),
    };
  };
  assert.deepEqual(choices(true), { full: true, main: false, quiet: true });
  assert.deepEqual(choices(false), { full: false, main: true, quiet: true });
});

test("a rematch that all have asked for is said to start, and once it cannot, may be asked for again", () => {
  const seats = ["Ann", "Bob"].map((name, seat) => ({ seat, name, kind: "guest" }));
  const offer = (wanted, more = {}) => {
    const after = state(wanted, []);
    Object.assign(after.table, { match: "m", seats });
    Object.assign(after.table.rematch, { offered: true, possible: true, match: null }, more);
    return after;
  };
  assert.ok(agreed(offer([0, 1])));
  for (const wanted of [[], [0], [1]]) assert.ok(!agreed(offer(wanted)));
  assert.ok(!agreed(offer([0, 1], { match: "next" })));
  const shown = (wanted) => JSON.stringify(After({ state: offer(wanted), act: {} }));
  assert.match(shown([0, 1]), /starts in a moment/);
  assert.doesNotMatch(shown([0, 1]), /would like/);
  assert.doesNotMatch(shown([0]), /starts in a moment/);
  const after = JSON.stringify(After({ state: offer([0, 1], { stalled: true }), act: {} }));
  assert.match(after, /couldn't start yet/);
  assert.doesNotMatch(after, /starts in a moment/);
  assert.ok(stalled(offer([0, 1], { stalled: true })));
  for (const now of [offer([0, 1]), offer([0], { stalled: true })]) assert.ok(!stalled(now));
  assert.ok(fellThrough(offer([0, 1]), offer([])));
  for (const now of [offer([0]), offer([1]), offer([0, 1]), offer([0, 1], { match: "next" })])
    assert.ok(!fellThrough(offer([0, 1]), now));
  assert.ok(!fellThrough(offer([0]), offer([])));
  assert.ok(!fellThrough(offer([0, 1]), offer([], { possible: false })), "one was deleted");
});
