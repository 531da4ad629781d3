import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULTS } from "../../../static/js/access/preferences.js";
import { Controller } from "../../../static/js/table/controller.js";
import { fateOf, mayPickAhead } from "../../../static/js/table/premove.js";

const WAITING = {
  v: 9,
  game: 1,
  hand: 2,
  seat: 0,
  phase: "play",
  cards: ["5H", "KD"],
  legal: { action: "wait", cards: [], number: 0, claims: false },
};
const TURN = {
  ...WAITING,
  v: 10,
  legal: { ...WAITING.legal, action: "play", cards: ["5H", "KD"] },
};
const STATE = {
  view: WAITING,
  settings: DEFAULTS,
  ruleset: { counting: "automatic" },
  sending: null,
  ahead: null,
  chosen: [],
};

test("a premove is possible only during another player's turn in the pegging", () => {
  assert.equal(mayPickAhead(STATE, "5H"), true);
  assert.equal(mayPickAhead(STATE, "2C"), false);
  for (const change of [
    { view: TURN },
    { view: { ...WAITING, phase: "discard" } },
    { view: { ...WAITING, seat: null } },
    { settings: { ...DEFAULTS, premove: false } },
    { ruleset: { counting: "manual" } },
    { sending: "x-1" },
    { replay: true },
  ]) {
    assert.equal(mayPickAhead({ ...STATE, ...change }, "5H"), false, JSON.stringify(change));
  }
});

test("a premove is kept until the turn, then played if legal and dropped otherwise", () => {
  assert.equal(fateOf("5H", WAITING, TURN), "play");
  assert.equal(fateOf("5H", WAITING, { ...WAITING, v: 10 }), "keep");
  const only = { ...TURN, legal: { ...TURN.legal, cards: ["5H"] } };
  assert.equal(fateOf("KD", WAITING, only), "drop");
  assert.equal(fateOf("5H", WAITING, { ...TURN, legal: { ...TURN.legal, claims: true } }), "drop");
  assert.equal(fateOf("5H", WAITING, { ...TURN, hand: 3 }), "drop");
  assert.equal(fateOf("5H", WAITING, { ...TURN, cards: ["KD"] }), "drop");
});

/** A controller waiting for another player, with what it has sent and its state. */
function waiting() {
  let state = { ...STATE };
  const sent = [];
  const store = {
    get: () => state,
    set: (patch) => {
      state = { ...state, ...patch };
    },
  };
  const announcer = { say: () => {} };
  const act = new Controller({ store, url: "ws://nowhere/", match: "m", announcer, sounds: {} });
  act.socket.send = (type, data) => {
    sent.push([type, data]);
    return "id";
  };
  return { act, sent, get: () => state };
}

test("a premove is sent once, only when the server asks, and then forgotten", () => {
  const { act, sent, get } = waiting();
  act.actions.pickAhead(get(), "5H");
  act.actions.settleAhead(WAITING, { ...WAITING, v: 10 });
  assert.deepEqual(sent, []);
  assert.equal(get().ahead, "5H");
  act.actions.settleAhead(WAITING, TURN);
  act.actions.settleAhead(WAITING, TURN);
  assert.deepEqual(sent, [["play", { card: "5H" }]]);
  assert.equal(get().ahead, null);
});

test("a second tap or Esc cancels a premove; another card replaces it", () => {
  const { act, sent, get } = waiting();
  act.actions.pickAhead(get(), "5H");
  act.actions.pickAhead(get(), "KD");
  assert.equal(get().ahead, "KD");
  act.actions.pickAhead(get(), "KD");
  assert.equal(get().ahead, null);
  act.actions.pickAhead(get(), "5H");
  act.actions.clear();
  act.actions.settleAhead(WAITING, TURN);
  assert.deepEqual(sent, []);
});
