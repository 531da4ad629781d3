import assert from "node:assert/strict";
import { test } from "node:test";
import { Keyboard } from "../../../static/js/access/keyboard.js";

/** The button of a card, as far as the keyboard asks for it. */
const CARD = {
  getAttribute: () => "5H",
  hasAttribute: (name) => name === "data-card",
  closest: (names) => (names.includes("button") ? CARD : null),
};

/**
 * What a key does while the focus is on a card of the hand.
 * @param {string} key
 * @param {boolean} blocking - whether the table waits until the player continues
 */
function done(key, blocking) {
  const calls = [];
  const act = {
    confirm: () => calls.push("confirm"),
    advance: () => calls.push("advance"),
    pick: (card) => calls.push(card),
  };
  const legal = { action: "play", cards: ["5H"], number: 1 };
  const view = { seat: 0, phase: "play", count: 0, waiting: [0], legal };
  const table = { status: "playing", seats: [{ seat: 0, name: "Ann" }] };
  const model = { players: 2, plays: [], sizes: [4, 4], mine: ["5H"] };
  const state = { view, table, model, blocking, chosen: [], settings: {} };
  const keyboard = new Keyboard({ store: { get: () => state }, act, announcer: {} });
  keyboard.workOf(key, state, CARD)?.();
  return calls;
}

test("Enter and Space continue also while the focus is on a card", () => {
  assert.deepEqual(done("Enter", true), ["confirm"]);
  assert.deepEqual(done(" ", true), ["advance"]);
});

test("Enter and Space on a card pick it on the player's turn", () => {
  assert.deepEqual(done("Enter", false), ["5H"]);
  assert.deepEqual(done(" ", false), [], "the browser presses the card");
});

test("digits and arrows set the points to claim, in the show and with a card", () => {
  const [claims, calls, said] = [[], [], []];
  const act = {
    setClaim: (points) => claims.push(points),
    setCall: (points) => calls.push(points),
  };
  const announcer = { say: (text) => said.push(text) };
  const pressed = (key, action, change) => {
    const legal = { action, cards: ["5H"], claims: true, ...change.legal };
    const view = { seat: 0, count: 5, waiting: [0], legal };
    const table = { status: "playing", seats: [{ seat: 0, name: "Ann" }] };
    const model = { players: 2, plays: [], sizes: [4, 4], mine: ["5H"] };
    const settings = { numbers: true };
    const state = { view, table, model, settings, chosen: [], claimPoints: null, ...change };
    const keyboard = new Keyboard({ store: { get: () => state }, act, announcer });
    return keyboard.workOf(key, state, CARD);
  };
  pressed("2", "claim", { claimPoints: 1 })();
  pressed("ArrowUp", "play", { chosen: ["5H"] })();
  pressed("ArrowDown", "play", { chosen: ["5H"], claimPoints: 2 })();
  assert.deepEqual(claims, [12, 1, 1]);
  assert.equal(said[0], "Claim 12 points");
  pressed("2", "answer", { calling: true, callPoints: 1 })();
  assert.deepEqual(calls, [12]);
  assert.equal(pressed("0", "answer", { calling: true, callPoints: null }), null);
  assert.equal(pressed("ArrowUp", "play", { legal: { claims: false } }), null);
  assert.equal(pressed("2", "claim", { settings: { numbers: false } }), null);
});

test("what a letter tells ends in one full stop", () => {
  const said = [];
  const model = { players: 2, mine: [], log: [{ event: { e: "go", seat: 1, count: 26 } }] };
  const table = { status: "playing", seats: [{ name: "Ann" }, { name: "Bob" }] };
  const legal = { action: "answer" };
  const view = { seat: 0, waiting: [0], legal, claim: { seat: 1, item: "hand" } };
  const state = { view, table, model, settings: { letters: true } };
  const announcer = { say: (text) => said.push(text) };
  const keyboard = new Keyboard({ store: { get: () => state }, act: {}, announcer });
  for (const key of ["l", "h"]) keyboard.workOf(key, state, CARD)();
  assert.deepEqual(said, ["Bob: go. Did Bob miss anything?", "No cards. Did Bob miss anything?"]);
});
