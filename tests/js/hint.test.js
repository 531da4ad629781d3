import assert from "node:assert/strict";
import { test } from "node:test";
import { Controller } from "../../static/js/controller.js";
import { fits, mayAsk } from "../../static/js/hint.js";

const HINT = { v: 7, action: "discard", cards: ["3D", "2S"], advice: "Throw.", reasons: ["So."] };

function viewOf(action, cards, more = {}) {
  return { v: 7, seat: 0, legal: { action, cards, number: 2, claims: false }, ...more };
}

/** A controller whose socket only notes what is sent. */
function seated(view, table = { status: "playing", hints: true, seats: [] }) {
  const first = { view, table, model: {}, hint: null, hinting: null, chosen: [], notices: [] };
  const store = {
    state: first,
    get: () => store.state,
    set: (change) => {
      store.state = { ...store.state, ...change };
    },
  };
  const said = [];
  const announcer = { say: (text) => said.push(text), insist: (text) => said.push(text) };
  const act = new Controller({ store, url: "ws://nowhere/", match: "m", announcer, sounds: null });
  const sent = [];
  act.socket.send = (type) => {
    sent.push(type);
    return `id-${sent.length}`;
  };
  act.notice = (text) => said.push(text);
  return { act, store, said, sent };
}

test("a hint may be asked for where it is allowed, for a throw or a card", () => {
  const state = { table: { hints: true } };
  assert.equal(mayAsk(state, { kind: "discard" }), true);
  assert.equal(mayAsk(state, { kind: "play" }), true);
  assert.equal(mayAsk(state, { kind: "claim" }), false);
  assert.equal(mayAsk({ table: { hints: false } }, { kind: "play" }), false);
});

test("a hint stays while its cards may be thrown, and no longer", () => {
  assert.equal(fits(HINT, viewOf("discard", ["3D", "2S", "5H"])), true);
  assert.equal(fits(HINT, viewOf("discard", ["3D", "5H"])), false);
  assert.equal(fits(HINT, viewOf("play", ["3D", "2S"])), false);
});

test("it is asked for once, shown, said politely, and put away", () => {
  const { act, store, said, sent } = seated(viewOf("discard", ["3D", "2S", "5H"]));
  act.hint();
  act.hint();
  assert.deepEqual(sent, ["hint"]);
  act.received("hint", HINT, "id-1");
  assert.equal(store.get().hint, HINT);
  assert.deepEqual(said, ["Throw. So."]);
  act.hint();
  assert.equal(store.get().hint, null);
});

test("a hint that comes too late is not shown", () => {
  const { act, store } = seated(viewOf("discard", ["3D", "2S"]));
  act.hint();
  store.set({ view: viewOf("wait", []) });
  act.received("hint", HINT, "id-1");
  assert.deepEqual([store.get().hint, store.get().hinting], [null, null]);
});

test("a hint refused leaves the cards picked as they are", () => {
  const { act, store } = seated(viewOf("discard", ["3D", "2S"]));
  store.set({ chosen: ["3D"] });
  act.hint();
  act.received("error", { code: "too_many", message: "Too many." }, "id-1");
  assert.deepEqual([store.get().chosen, store.get().hinting], [["3D"], null]);
  act.received("error", { code: "over_31", message: "No." }, "id-2");
  assert.deepEqual(store.get().chosen, []);
});
