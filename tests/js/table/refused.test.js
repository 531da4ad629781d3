import assert from "node:assert/strict";
import { test } from "node:test";
import { logInAddress, reasonOf } from "../../../static/js/table/refused.js";

const SEATED = { seat: 0 };
const WATCHING = { seat: null };

test("a table that doesn't exist is missing, whatever was said before", () => {
  assert.equal(reasonOf({ refused: 4404, refusedAgain: false, bye: null, view: null }), "missing");
});

test("a player who is sent away by the end of their login is logged out", () => {
  const bye = { code: "logged_out", message: "You're no longer logged in." };
  assert.equal(reasonOf({ refused: 4403, refusedAgain: false, bye, view: SEATED }), "logged_out");
  assert.equal(reasonOf({ refused: 4403, refusedAgain: false, bye, view: WATCHING }), "logged_out");
});

test("so is a seated player who is forbidden to come back", () => {
  assert.equal(
    reasonOf({ refused: 4403, refusedAgain: true, bye: null, view: SEATED }),
    "logged_out",
  );
});

test("but not a player who has left the table in another tab", () => {
  assert.equal(
    reasonOf({ refused: 4403, refusedAgain: false, bye: null, view: SEATED }),
    "private",
  );
});

test("for all others the table is private", () => {
  assert.equal(reasonOf({ refused: 4403, refusedAgain: false, bye: null, view: null }), "private");
  assert.equal(
    reasonOf({ refused: 4403, refusedAgain: true, bye: null, view: WATCHING }),
    "private",
  );
});

test("the log-in leads back to this table", () => {
  const address = { pathname: "/t/abc/", search: "?pace=tap" };
  assert.equal(logInAddress(address), "/accounts/login/?next=%2Ft%2Fabc%2F%3Fpace%3Dtap");
});
