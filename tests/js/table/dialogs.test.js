import assert from "node:assert/strict";
import { test } from "node:test";
import { Leave } from "../../../static/js/table/dialogs.js";

/**
 * What the dialog says before a player leaves.
 * @param {number} players
 * @param {boolean} standard - whether it is a standard game, which has no rematch
 */
function said(players, standard) {
  const state = { model: { players }, table: { rematch: { offered: !standard } }, fair: null };
  return Leave({ state, act: {} }).props.children[0].props.children;
}

test("who leaves is told whether they can come back", () => {
  assert.equal(said(2, false), "Your opponent will win.");
  assert.equal(said(3, false), "The computer plays on for you until you come back.");
  const lost = "This game will count as lost. The computer plays it to the end.";
  assert.equal(said(3, true), lost);
});
