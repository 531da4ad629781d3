import assert from "node:assert/strict";
import { test } from "node:test";
import { Controller } from "../../../static/js/table/controller.js";

/** A controller with a picked card, a move in flight and a card picked ahead. */
function sendingMove() {
  const move = { sending: "m-1", stored: null, chosen: ["3D"], ahead: "5H", hinting: null };
  const store = {
    state: move,
    get: () => store.state,
    set: (change) => {
      store.state = { ...store.state, ...change };
    },
  };
  const announcer = { say: () => {}, insist: () => {} };
  const controller = new Controller({ store, url: "ws://nowhere/", match: "m", announcer });
  const told = [];
  controller.notices.tell = (text) => told.push(text);
  return { controller, store, told };
}

for (const id of ["x-2", undefined]) {
  test(`a refusal of ${id ?? "no request"} leaves the move in flight alone`, () => {
    const { controller, store, told } = sendingMove();
    const before = store.get();
    controller.received({ t: "error", d: { code: "not_offered", message: "No." }, id });
    assert.deepEqual(store.get(), before);
    assert.deepEqual(told, ["No."]);
  });
}

test("a refusal of the move in flight lets the player choose again", () => {
  const { controller, store, told } = sendingMove();
  controller.received({ t: "error", d: { code: "over_31", message: "No." }, id: "m-1" });
  const { sending, chosen, ahead } = store.get();
  assert.deepEqual([sending, chosen, ahead], [null, [], null]);
  assert.deepEqual(told, ["No."]);
});

test("a tap on a card that would pass 31 says so, and only on the player's turn", () => {
  const { controller, store, told } = sendingMove();
  const legal = { action: "play", cards: ["3D"], number: 1, claims: false };
  const view = { seat: 0, phase: "play", count: 25, cards: ["3D", "7S"], waiting: [0], legal };
  const table = { status: "playing", seats: [{ seat: 0, name: "Ann" }] };
  const model = { plays: [], sizes: [2, 2] };
  const turn = { view, table, model, settings: {}, blocking: false, sending: null };
  store.set({ ...turn, chosen: [], ahead: null });
  controller.actions.pick("7S");
  assert.equal(told.length, 1);
  assert.match(told[0], /pass 31/);
  assert.deepEqual(store.get().chosen, []);
  controller.actions.pick("3D");
  assert.deepEqual(store.get().chosen, ["3D"]);
  const waits = { ...view, waiting: [1], legal: { ...legal, action: "wait", cards: [] } };
  store.set({ view: waits });
  controller.actions.pick("7S");
  store.set({ view, blocking: true }); // a count is being shown
  controller.actions.pick("7S");
  assert.equal(told.length, 1);
});
