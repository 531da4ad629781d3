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

test("a player is asked once to answer a claim, also after others have answered it", () => {
  const { controller, store } = sendingMove();
  const asked = [];
  controller.announcer.insist = (text) => asked.push(text);
  controller.sounds = { play: () => {} };
  const legal = { action: "answer", cards: [], number: 0, claims: false, muggins: true };
  const table = {
    status: "playing",
    seats: ["Ann", "Bob", "Cy"].map((name, seat) => ({ seat, name })),
  };
  const view = { v: 7, game: 1, hand: 1, seat: 0, phase: "show", legal, hand_sizes: [0, 0, 0] };
  const claim = { seat: 1, item: "hand" };
  store.set({ table, model: {}, settings: {}, blocking: false });
  store.set({ view: { ...view, claim: { ...claim, asked: [0, 2] } } });
  controller.announceTurn();
  store.set({ view: { ...view, v: 8, claim: { ...claim, asked: [0] } } });
  controller.announceTurn();
  assert.deepEqual(asked, ["Did Bob miss anything?"]);
  store.set({ view: { ...view, v: 10, claim: { ...claim, item: "crib", asked: [0, 2] } } });
  controller.announceTurn();
  assert.equal(asked.length, 2);
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
