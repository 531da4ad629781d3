import assert from "node:assert/strict";
import { test } from "node:test";
import { Controller } from "../../../static/js/table/controller.js";

test("a press just after Continue has gone lets no claim stand, and a later one does", (context) => {
  let now = 1000;
  context.mock.method(performance, "now", () => now);
  let state = {
    view: { seat: 0, legal: { action: "answer" }, claim: { seat: 1, item: "hand" } },
    table: { status: "playing", seats: [{ name: "Ann" }, { name: "Bob" }] },
    settings: {},
    notices: [],
  };
  const store = {
    get: () => state,
    set: (change) => {
      state = { ...state, ...change };
    },
  };
  const quiet = { insist() {}, play() {} };
  const parts = { store, url: "ws://nowhere/", match: "m", announcer: quiet, sounds: quiet };
  const controller = new Controller(parts);
  const sent = [];
  controller.socket.send = (type) => sent.push(type);
  controller.playback.waiting = { kind: "total" };
  controller.playback.release(); // the count has been looked at
  now += 200;
  controller.actions.confirm();
  assert.deepEqual(sent, []);
  now += 400;
  controller.actions.confirm();
  assert.deepEqual(sent, ["pass"]);
});
