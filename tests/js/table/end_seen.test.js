import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { Controller } from "../../../static/js/table/controller.js";

afterEach(() => Reflect.deleteProperty(globalThis, "document"));

/** A table of a player, by correspondence or not; what is sent to the server is kept. */
function seated({ days = "3", hidden = false } = {}) {
  let state = /** @type {any} */ ({ view: null, model: null, table: null, notices: [], days });
  const store = {
    get: () => state,
    set: (change) => {
      state = { ...state, ...change };
    },
  };
  const page = { hidden };
  Object.assign(globalThis, { document: page });
  const quiet = { say() {}, insist() {}, play() {} };
  const controller = new Controller(
    /** @type {any} */ ({
      store,
      url: "ws://nowhere/",
      match: "m",
      announcer: quiet,
      sounds: quiet,
    }),
  );
  const sent = /** @type {string[]} */ ([]);
  controller.socket.send = /** @type {any} */ ((type) => sent.push(type));
  return { controller, sent, page };
}

function table(status, you = 0, { creator = false } = {}) {
  const seats = [{ seat: 0, name: "Ann", kind: "guest", left: null, stand_in: null }];
  const data = { status, you, creator, seats, absent: [], idle: [] };
  return /** @type {any} */ ({ t: "table", d: data });
}

test("the server hears once that a player sees the end of a match by correspondence", () => {
  const { controller, sent } = seated();
  controller.received(table("playing"));
  assert.deepEqual(sent, []);
  controller.received(table("finished"));
  controller.received(table("finished"));
  assert.deepEqual(sent, ["seen"]);
});

test("in a background tab the end counts as seen only when the player looks", () => {
  const { controller, sent, page } = seated({ hidden: true });
  controller.received(table("finished"));
  assert.deepEqual(sent, []);
  page.hidden = false;
  controller.noteEnd();
  assert.deepEqual(sent, ["seen"]);
});

test("nothing is sent in one sitting, or by a watcher", () => {
  const live = seated({ days: null });
  live.controller.received(table("finished"));
  const watching = seated();
  watching.controller.received(table("finished", null));
  assert.deepEqual([...live.sent, ...watching.sent], []);
});

test("the server hears when a host looks at their waiting table, and not before", () => {
  const host = seated({ days: null });
  host.controller.received(table("waiting", 0, { creator: true }));
  assert.deepEqual(host.sent, []);
  host.controller.look();
  const guest = seated({ days: null });
  guest.controller.received(table("waiting", 1));
  guest.controller.look();
  assert.deepEqual([host.sent, guest.sent], [["seen"], []]);
});
