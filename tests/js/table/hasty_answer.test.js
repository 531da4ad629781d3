import assert from "node:assert/strict";
import { test } from "node:test";
import { Controller } from "../../../static/js/table/controller.js";

/** A controller whose player is to answer a claim of the other seat, and what it has sent. */
function answering(claimant) {
  let state = {
    view: { seat: 0, legal: { action: "answer" }, claim: { seat: 1, item: "hand" } },
    table: { status: "playing", seats: [{ name: "Ann" }, { name: "Bob", ...claimant }] },
    model: { players: 2 },
    settings: {},
    notices: [],
    sending: null,
  };
  const store = {
    get: () => state,
    set: (change) => {
      state = { ...state, ...change };
    },
  };
  const heard = [];
  const announcer = { insist: (text) => heard.push(text) };
  const parts = { store, url: "ws://nowhere/", match: "m", announcer, sounds: { play() {} } };
  const controller = new Controller(parts);
  const sent = [];
  controller.socket.send = (type) => sent.push(type);
  return { controller, sent, heard };
}

test("a press just after Continue has gone lets no claim stand, and a later one does", (context) => {
  let now = 1000;
  context.mock.method(performance, "now", () => now);
  const { controller, sent } = answering({ kind: "person" });
  controller.playback.waiting = { kind: "total" };
  controller.playback.release(); // the count has been looked at
  now += 200;
  controller.actions.confirm();
  assert.deepEqual(sent, []);
  now += 400;
  controller.actions.confirm();
  assert.deepEqual(sent, ["pass"]);
});

test("one press of Continue, or Space, goes on from a computer's count, of which nothing is asked", () => {
  for (const press of /** @type {const} */ (["confirm", "advance"])) {
    for (const kind of ["person", "computer"]) {
      const { controller, sent } = answering({ kind });
      const settle = { kind: "settle", change: (model) => model, context: {} };
      controller.playback.waiting = { kind: "total" };
      controller.playback.queue = [settle];
      controller.playback.present(controller.playback.model);
      controller.actions[press]();
      assert.deepEqual(sent, kind === "computer" ? ["pass"] : [], press);
      if (kind === "person") continue;
      controller.actions[press]();
      assert.deepEqual(sent, ["pass"], "a second press while the first is sent");
    }
  }
  const { controller, sent, heard } = answering({ kind: "computer" });
  controller.announceTurn();
  assert.deepEqual(heard, ["The show. Continue"]);
  controller.actions.advance();
  assert.deepEqual(sent, ["pass"], "also where the count was shown at once");
});
