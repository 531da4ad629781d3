import assert from "node:assert/strict";
import { test } from "node:test";
import { Controller } from "../../../static/js/table/controller.js";

/** The table of Ann, in front of the screen, and Bob; what she hears is kept. */
function seated() {
  let state = /** @type {any} */ ({ view: null, model: null, table: null, notices: [] });
  const heard = /** @type {string[]} */ ([]);
  const store = {
    get: () => state,
    set: (change) => {
      state = { ...state, ...change };
    },
  };
  const announcer = { say: (text) => heard.push(text), insist: (text) => heard.push(`! ${text}`) };
  const sounds = { play: (name) => heard.push(`(${name})`) };
  const controller = new Controller(
    /** @type {any} */ ({ store, url: "ws://nowhere/", match: "m", announcer, sounds }),
  );
  return { controller, heard, store };
}

/** @param {object} change */
function table(change, own = {}) {
  const seats = [
    { seat: 0, name: "Ann", kind: "guest", left: null, stand_in: null, ...own },
    { seat: 1, name: "Bob", kind: "guest", left: null, stand_in: null },
  ];
  return { t: "table", d: { status: "playing", you: 0, seats, absent: [], idle: [], ...change } };
}

test("a player who has not acted for long is called back once, also by a sound", () => {
  const { controller, heard } = seated();
  const idle = [
    { seat: 0, v: 7, since: 180, can_stand_in: false, can_claim: false, offer_in: 120 },
  ];
  controller.received(table({}));
  assert.deepEqual(heard, []);
  controller.received(table({ idle }));
  const call = "! Still there? It's your turn. Soon Bob can go on without you.";
  assert.deepEqual(heard, [call, "(short)"]);
  controller.received(table({ idle: [{ ...idle[0], offer_in: 60 }] }));
  assert.equal(heard.length, 2);
});

test("a player in another tab is called once when the other wants a rematch", (t) => {
  const { controller, heard, store } = seated();
  globalThis.document = /** @type {any} */ ({ hidden: true });
  t.after(() => delete globalThis.document);
  store.set({ view: { seat: 0, legal: { action: "over" } } });
  const after = (wanted, swapped = []) =>
    controller.received(table({ status: "finished", rematch: { wanted, swapped } }));
  after([]);
  after([0]);
  after([0, 1]);
  assert.deepEqual(heard, [], "they have asked for it themselves");
  after([]);
  after([1]);
  after([1]);
  assert.deepEqual([heard, store.get().news], [["(join)"], "Bob would like a rematch"]);
  after([], [1]);
  assert.equal(store.get().news, "Bob would like to swap seats with these cards");
  store.set({ view: { seat: null, legal: { action: "over" } }, news: "" });
  after([]);
  after([1]);
  assert.deepEqual([heard.length, store.get().news], [2, ""], "who watches is not called");
});

test("who comes back is told which computer sat in for them", () => {
  const { controller, heard } = seated();
  const told = /** @type {string[]} */ ([]);
  controller.notices.tell = /** @type {any} */ ((text) => told.push(text));
  controller.received({ t: "returned", d: { computer: "Walter" } });
  assert.deepEqual(told, ["Walter sat in for you while you were away. You have your seat back."]);
  assert.deepEqual(heard, []);
});
