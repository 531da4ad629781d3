import assert from "node:assert/strict";
import { test } from "node:test";
import { Controller } from "../../static/js/controller.js";
import { DEFAULTS } from "../../static/js/preferences.js";
import { fateOf, mayPickAhead } from "../../static/js/premove.js";

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

test("a card is picked ahead only while the play waits for somebody else", () => {
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

test("it is played when the turn comes and it is legal, kept before, and dropped where it is not", () => {
  assert.equal(fateOf("5H", WAITING, TURN), "play");
  assert.equal(fateOf("5H", WAITING, { ...WAITING, v: 10 }), "keep");
  const only = { ...TURN, legal: { ...TURN.legal, cards: ["5H"] } };
  assert.equal(fateOf("KD", WAITING, only), "drop");
  assert.equal(fateOf("5H", WAITING, { ...TURN, legal: { ...TURN.legal, claims: true } }), "drop");
  assert.equal(fateOf("5H", WAITING, { ...TURN, hand: 3 }), "drop");
  assert.equal(fateOf("5H", WAITING, { ...TURN, cards: ["KD"] }), "drop");
});

/** A controller that waits for another, what it sent, and its state. */
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

test("nothing is sent before the server asks; then the card goes once, and is forgotten here", () => {
  const { act, sent, get } = waiting();
  act.pickAhead(get(), "5H");
  act.settleAhead(WAITING, { ...WAITING, v: 10 });
  assert.deepEqual(sent, []);
  assert.equal(get().ahead, "5H");
  act.settleAhead(WAITING, TURN);
  act.settleAhead(WAITING, TURN);
  assert.deepEqual(sent, [["play", { card: "5H" }]]);
  assert.equal(get().ahead, null);
});

test("a second tap and Esc take it back; another card takes its place", () => {
  const { act, sent, get } = waiting();
  act.pickAhead(get(), "5H");
  act.pickAhead(get(), "KD");
  assert.equal(get().ahead, "KD");
  act.pickAhead(get(), "KD");
  assert.equal(get().ahead, null);
  act.pickAhead(get(), "5H");
  act.clear();
  act.settleAhead(WAITING, TURN);
  assert.deepEqual(sent, []);
});
