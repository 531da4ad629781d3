import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ClaimGrid,
  callQuestion,
  PlayClaim,
  typedClaim,
} from "../../../static/js/table/claim_points.js";
import { requiredAction } from "../../../static/js/table/required_action.js";

test("all 14 points can be claimed for the fourth seven that makes thirty-one", () => {
  const claims = [];
  const act = { setClaim: (points) => claims.push(points) };
  for (const claimPoints of [13, 14]) {
    const drawn = PlayClaim({ state: { claimPoints }, act }).props.children.flat();
    drawn.findLast((node) => node.type === "button").props.onClick();
  }
  assert.deepEqual(claims, [14, 14]);
});

test("typed digits make a count that a hand can have", () => {
  const typed = (digits) => [...digits].map(Number).reduce(typedClaim, null);
  assert.deepEqual(["0", "8", "08", "12", "29"].map(typed), [0, 8, 8, 12, 29]);
  assert.deepEqual(["19", "30", "512"].map(typed), [9, 0, 12]);
});

test("while points are called, the bar says what the numbers are for", () => {
  const state = {
    table: { seats: [{ name: "Ann" }, { name: "Bob" }] },
    view: { seat: 0, claim: { seat: 1 } },
  };
  const calls = [];
  assert.equal(callQuestion(state), "How many points did Bob miss?");
  const grid = ClaimGrid({ state, act: { setCall: (points) => calls.push(points) }, call: true });
  grid.props.children.flat().at(1).props.onClick();
  assert.deepEqual(calls, [2]);
});

test("no more points are called in the play than a card can score", () => {
  const calls = (item) => {
    const { props } = ClaimGrid({
      state: { view: { claim: { seat: 1, item } } },
      act: {},
      call: true,
    });
    return props.children.flat().map((node) => node.props.children);
  };
  assert.deepEqual([calls("play").at(0), calls("play").at(-1), calls("hand").at(-1)], [1, 14, 29]);
});

test("whether points are missing is asked unless a computer of the site has counted", () => {
  for (const [claimant, asked] of /** @type {const} */ ([
    [{ kind: "computer" }, false],
    [{ kind: "computer", owner: "Cleo" }, true],
    [{ kind: "person" }, true],
    [{ kind: "person", stand_in: "poppy" }, true],
  ])) {
    const seats = [
      { name: "Ann", kind: "person" },
      { name: "Bob", ...claimant },
    ];
    const legal = { action: "answer", muggins: true };
    const now = requiredAction(
      /** @type {any} */ ({
        table: { status: "playing", seats },
        view: { v: 7, seat: 0, legal, claim: { seat: 1, item: "hand", asked: [0] } },
        model: { players: 2 },
      }),
    );
    assert.deepEqual(
      [now.kind, now.title.includes("miss anything"), now.own],
      ["answer", asked, true],
    );
  }
});
