import assert from "node:assert/strict";
import { test } from "node:test";
import { journeys } from "../../../static/js/table/card_motion.js";

function box(left, top, width = 80) {
  return { left, top, width, height: width * 1.4 };
}

/** A fake card element that knows which part of the page it is in: "hand", "pile", "starter". */
function card(part, where) {
  const node = {
    part,
    matches: (selector) => selector === (part === "hand" ? ".hand-card" : `.${part}`),
    closest: (selector) => (selector === `.${part}` ? {} : null),
  };
  return { node, box: where };
}

function lookOf({ faces = {}, backs = {}, deck = box(0, 300) }) {
  return { faces: new Map(Object.entries(faces)), backs: new Map(Object.entries(backs)), deck };
}

const KINDS = (found) => found.map(({ kind, from }) => [kind, from?.left ?? null]);

test("a card that has changed place moves there from its old place; others stay", () => {
  const stays = card("hand", box(10, 500));
  const before = lookOf({ faces: { "5H": card("hand", box(100, 500)), KD: stays } });
  const after = lookOf({ faces: { "5H": card("pile", box(300, 200)), KD: stays } });
  assert.deepEqual(KINDS(journeys(before, after).found), [["move", 100]]);
});

test("an opponent's card comes from their hand, and discards go to the crib", () => {
  const theirs = (number) => Array.from({ length: number }, (_, at) => card("x", box(at, 0)));
  const played = journeys(
    lookOf({ backs: { "other seat-1": theirs(4) } }),
    lookOf({
      backs: { "other seat-1": theirs(3) },
      faces: { "7C": card("pile", box(300, 200)) },
    }),
  );
  assert.deepEqual(KINDS(played.found), [["move", 3]]);
  const thrown = journeys(
    lookOf({
      faces: { "5H": card("hand", box(100, 500)), KD: card("hand", box(200, 500)) },
      backs: { crib: [] },
    }),
    lookOf({ backs: { crib: theirs(2) } }),
  );
  assert.deepEqual(KINDS(thrown.found), [
    ["move", 100],
    ["move", 200],
  ]);
});

test("a deal gathers the old cards and deals the new ones from the pack one by one", () => {
  const { found, gathered } = journeys(
    lookOf({ faces: { "9S": card("show", box(300, 200)) }, deck: null }),
    lookOf({ faces: { "2C": card("hand", box(10, 500)), "3C": card("hand", box(100, 500)) } }),
  );
  assert.deepEqual(
    found.map(({ kind, from, at }) => [kind, from.left, at]),
    [
      ["deal", 0, 0],
      ["deal", 0, 1],
    ],
  );
  assert.equal(gathered.length, 1);
});

test("a starter is turned up in place, and a card from nowhere just appears", () => {
  const { found } = journeys(
    lookOf({}),
    lookOf({
      faces: { KS: card("starter", box(0, 300)), "4D": card("show", box(200, 200)) },
    }),
  );
  assert.deepEqual(KINDS(found), [
    ["turn", 0],
    ["appear", null],
  ]);
});
