import assert from "node:assert/strict";
import { test } from "node:test";
import { Controller } from "../../../static/js/table/controller.js";
import { fits, mayAsk } from "../../../static/js/table/hint.js";

const HINT = { v: 7, action: "discard", cards: ["3D", "2S"], advice: "Throw.", reasons: ["So."] };

function viewOf(action, cards, more = {}) {
  return { v: 7, seat: 0, legal: { action, cards, number: 2, claims: false }, ...more };
}

/** A controller whose socket only records what is sent. */
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
  act.notices.tell = (text) => said.push(text);
  return { act, store, said, sent };
}

test("a hint may be requested for a discard or a play where hints are allowed", () => {
  const state = { table: { hints: true } };
  assert.equal(mayAsk(state, { kind: "discard" }), true);
  assert.equal(mayAsk(state, { kind: "play" }), true);
  assert.equal(mayAsk(state, { kind: "claim" }), false);
  assert.equal(mayAsk({ table: { hints: false } }, { kind: "play" }), false);
});

test("a hint stays only while its cards can be discarded", () => {
  assert.equal(fits(HINT, viewOf("discard", ["3D", "2S", "5H"])), true);
  assert.equal(fits(HINT, viewOf("discard", ["3D", "5H"])), false);
  assert.equal(fits(HINT, viewOf("play", ["3D", "2S"])), false);
});

test("a hint is requested once, shown, announced politely, and dismissed", () => {
  const { act, store, said, sent } = seated(viewOf("discard", ["3D", "2S", "5H"]));
  act.actions.hint();
  act.actions.hint();
  assert.deepEqual(sent, ["hint"]);
  act.received({ t: "hint", d: HINT, id: "id-1" });
  assert.equal(store.get().hint, HINT);
  assert.deepEqual(said, ["Throw. So."]);
  act.actions.hint();
  assert.equal(store.get().hint, null);
});

test("a hint that arrives too late is not shown", () => {
  const { act, store } = seated(viewOf("discard", ["3D", "2S"]));
  act.actions.hint();
  store.set({ view: viewOf("wait", []) });
  act.received({ t: "hint", d: HINT, id: "id-1" });
  assert.deepEqual([store.get().hint, store.get().hinting], [null, null]);
});

test("a refused hint leaves the picked cards alone", () => {
  const { act, store } = seated(viewOf("discard", ["3D", "2S"]));
  store.set({ chosen: ["3D"] });
  act.actions.hint();
  act.received({ t: "error", d: { code: "too_many", message: "Too many." }, id: "id-1" });
  assert.deepEqual([store.get().chosen, store.get().hinting], [["3D"], null]);
});
