import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULTS } from "../../../static/js/access/preferences.js";
import { Controller } from "../../../static/js/table/controller.js";
import { FakeClock, match } from "../support.js";

const VIEW = {
  v: 9,
  game: 1,
  hand: 2,
  seat: 0,
  phase: "play",
  count: 10,
  cards: ["5H", "KD"],
  waiting: [0],
  legal: { action: "play", cards: ["5H", "KD"], number: 1, claims: true, muggins: true },
};

/** A player's actions in a game counted by hand, with what they have sent and their state. */
function counting(change = {}, other = {}) {
  let state = {
    table: { status: "playing", seats: [{ name: "Ann" }, { name: "Bob" }] },
    view: { ...VIEW, ...change },
    model: { players: 2, plays: [], sizes: [2, 2], mine: VIEW.cards },
    settings: DEFAULTS,
    sending: null,
    chosen: [],
    claimPoints: null,
    calling: false,
    callPoints: null,
    ...other,
  };
  const sent = [];
  const store = {
    get: () => state,
    set: (patch) => {
      state = { ...state, ...patch };
    },
  };
  const announcer = { say: () => {}, insist: () => {} };
  const sounds = { play: () => {} };
  const { actions, socket } = new Controller({
    store,
    url: "ws://nowhere/",
    match: "m",
    announcer,
    sounds,
  });
  socket.send = (type, data) => {
    sent.push([type, data]);
    return "id";
  };
  return { act: actions, sent, get: () => state };
}

test("a second tap on a card plays it, but not while its points must be claimed", () => {
  const { act, sent, get } = counting();
  act.pick("5H");
  act.setClaim(2);
  act.pick("5H");
  assert.deepEqual([get().chosen, get().claimPoints, sent], [["5H"], 2, []]);
  act.confirm();
  assert.deepEqual(sent, [["play", { card: "5H", claim: 2 }]]);
  const counted = counting({ legal: { ...VIEW.legal, claims: false } });
  counted.act.pick("5H");
  counted.act.pick("5H");
  assert.deepEqual(counted.sent, [["play", { card: "5H" }]]);
});

test("missed points are called only once the chosen number is confirmed", () => {
  const { act, sent, get } = counting();
  act.pick("5H");
  act.openCall(true);
  act.confirm();
  act.setCall(2);
  act.setCall(4);
  assert.deepEqual(sent, [], "neither opening the grid nor a number calls anything");
  act.pick("KD");
  assert.deepEqual([get().calling, get().callPoints, get().chosen], [false, null, ["KD"]]);
  act.openCall(true);
  act.setCall(4);
  act.clear();
  assert.equal(get().calling, false);
  act.openCall(true);
  act.setCall(4);
  act.confirm();
  assert.deepEqual([sent, get().calling], [[["muggins", { points: 4 }]], false]);
});

test("a tap before the other's card is on the table shows it, and plays nothing", () => {
  const { steps } = match("two-games");
  const [before, own, other] = steps.slice(2, 5); // both play a card
  const { view } = other;
  const last = other.events.flat().at(-1);
  const [card] = view.legal.cards;
  for (const reach of ["pick", "drop"]) {
    const { act, sent, get } = counting(view, { settings: { ...DEFAULTS, oneTap: true } });
    const { playback } = act;
    playback.clock = new FakeClock();
    playback.reset(before.view);
    for (const step of [own, other]) playback.push(step.events.flat(), step.view);
    assert.equal(get().coming, last);
    act[reach](card);
    assert.deepEqual([get().model.plays.at(-1).card, get().coming], [last.card, null], reach);
    assert.deepEqual([get().chosen, sent], [[card], []], reach);
    act[reach](card);
    assert.deepEqual(sent, [["play", { card }]], reach);
  }
});
