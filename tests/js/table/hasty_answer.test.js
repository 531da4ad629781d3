import assert from "node:assert/strict";
import { test } from "node:test";
import { PlayerActions } from "../../../static/js/table/player_actions.js";

test("a quick press after Continue lets no claim stand, and a later one does", (context) => {
  let now = 1000;
  context.mock.method(performance, "now", () => now);
  const sent = [];
  const state = {
    view: { seat: 0, legal: { action: "answer" }, claim: { seat: 1, item: "hand" } },
    table: { status: "playing", seats: [{ name: "Ann" }, { name: "Bob" }] },
    model: { players: 2, plays: [], sizes: [], show: {} },
    blocking: true,
  };
  const store = { get: () => state, set: () => {} };
  const socket = { send: (type) => sent.push(type) };
  const playback = {
    busy: true,
    advance() {
      Object.assign(this, { busy: false });
      Object.assign(state, { blocking: false });
    },
  };
  const actions = new PlayerActions({ store, socket, playback });
  actions.confirm(); // "Continue", at the end of the count
  now += 200;
  actions.confirm();
  assert.deepEqual(sent, []);
  now += 600;
  actions.confirm();
  assert.deepEqual(sent, ["pass"]);
});
