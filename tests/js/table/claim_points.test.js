import assert from "node:assert/strict";
import { test } from "node:test";
import { ClaimGrid, callQuestion, PlayClaim } from "../../../static/js/table/claim_points.js";

/** What the choice of points draws on a page of this width: its rows of buttons. */
function drawn(narrow, claimPoints, act = {}) {
  const { type, props } = PlayClaim({ state: { narrow, claimPoints }, act });
  return type(props).props.children.flat();
}

test("all 14 points can be claimed for the fourth seven that makes thirty-one", () => {
  const numbers = drawn(false, null).filter((node) => node.type === "button");
  assert.equal(numbers.at(-1).props.children, 14);
  const claims = [];
  const act = { setClaim: (points) => claims.push(points) };
  for (const claimed of [13, 14]) {
    const more = drawn(true, claimed, act).findLast((node) => node.type === "button");
    more.props.onClick();
  }
  assert.deepEqual(claims, [14, 14]);
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
