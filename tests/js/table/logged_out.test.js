import assert from "node:assert/strict";
import { test } from "node:test";
import { Controller } from "../../../static/js/table/controller.js";

/**
 * Whether a page takes its player for logged out when it is answered as a visitor is.
 * @param {object} before
 * @param {number | null} before.seat - the player's
 * @param {string} [before.status] - of the match
 * @param {boolean} [before.lost] - whether the connection was lost
 */
function loggedOut({ seat, status = "playing", lost = true }) {
  const state = { conn: "open", bye: null, view: { v: 7, seat }, table: { status } };
  const store = { get: () => state, set: () => {} };
  const controller = new Controller(
    /** @type {any} */ ({ store, url: "ws://nowhere/", match: "m", announcer: {}, sounds: null }),
  );
  if (lost) controller.status("lost");
  return controller.isLoggedOut(/** @type {any} */ ({ v: 7, seat: null }));
}

test("a seated player who comes back as a visitor was logged out", () => {
  assert.equal(loggedOut({ seat: 0 }), true);
});

test("a watcher is a visitor before and after", () => {
  assert.equal(loggedOut({ seat: null }), false);
});

test("a seat is lost in other ways on an open connection, or before the match begins", () => {
  assert.equal(loggedOut({ seat: 0, lost: false }), false);
  assert.equal(loggedOut({ seat: 0, status: "waiting" }), false);
});
