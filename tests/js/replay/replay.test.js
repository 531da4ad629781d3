import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, lookOf } from "../../../static/js/replay/address.js";
import { workOf } from "../../../static/js/replay/keyboard.js";
import {
  framesOf,
  gameRange,
  handPlace,
  placeOf,
  positionsOf,
} from "../../../static/js/replay/positions.js";
import { match } from "../support.js";

const data = match("replay-two-games");
const frames = framesOf(data);
const sides = [0, 1].map((seat) => positionsOf(data, frames, seat));

test("every step and every part of a step has a position, in order", () => {
  const steps = new Set(sides[0].map(({ step }) => step));
  assert.deepEqual([...steps], frames.map((_, step) => step).slice(1));
  for (const [at, position] of sides[0].entries()) {
    if (position.part === 0) continue;
    assert.equal(sides[0][at - 1].step, position.step);
    assert.equal(sides[0][at - 1].part, position.part - 1);
  }
});

test("a position agrees with the server's frame of its step", () => {
  for (const [seat, positions] of sides.entries()) {
    for (const { step, part, parts, model } of positions) {
      const frame = frames[step];
      if (part === parts - 1) assert.deepEqual(model.scores, frame.scores, `scores at ${step}`);
      if (part || !frame.held[0].length) continue;
      assert.deepEqual(model.mine, frame.held[seat], `cards at ${step}`);
      assert.deepEqual(model.sizes, frame.hand_sizes, `sizes at ${step}`);
      assert.equal(model.starter, frame.starter);
      assert.deepEqual(
        model.plays.map(({ seat: who, card }) => [who, card]).slice(-frame.pile.length || 99),
        frame.pile,
      );
    }
  }
});

test("a match that was played on from a position begins with its scores", () => {
  const scores = { scores: [119, 100], trailing: [112, 98] };
  const played = { ...data, hands: [{ ...data.hands[0], first: data.hands[0].deal }] };
  const [first] = positionsOf(
    played,
    frames.map((frame) => ({ ...frame, ...scores })),
    0,
  );
  assert.deepEqual(first.model.scores, [119, 100]);
  assert.deepEqual(first.model.trailing, [112, 98]);
});

test("seen from one side, the model has no card of the other hand", () => {
  for (const { step, model } of sides[0]) {
    const hidden = frames[step].held[1];
    const shown = JSON.stringify([model.mine, model.thrown, model.plays, model.starter]);
    for (const card of hidden) assert.ok(!shown.includes(card), `${card} at ${step}`);
  }
});

test("the show steps through each hand and the crib, and the match ends with the result", () => {
  const last = sides[0].filter(({ step }) => step === data.hands[0].last);
  assert.equal(last.length, 4);
  assert.equal(last[0].model.show, null);
  const shown = last.slice(1).map(({ model }) => [model.show.seat, model.show.item]);
  const { dealer } = data.hands[0];
  assert.deepEqual(shown, [
    [1 - dealer, "hand"],
    [dealer, "hand"],
    [dealer, "crib"],
  ]);
  assert.ok(sides[0].at(-1).model.over);
  assert.ok(sides[0].at(-1).model.won);
});

test("the end of a count is shown before the table is cleared", () => {
  const ended = data.steps.findIndex(({ e }) => e.some(({ reason }) => reason === "go")) + 1;
  const at = placeOf(sides[0], ended);
  const [card] = sides[0][at].model.plays.slice(-1);
  assert.equal(card.run, sides[0][at].model.run);
  assert.ok(sides[0][at].model.count > 0);
  assert.equal(frames[ended].count, 0);
});

test("each game starts a new log", () => {
  const second = data.hands.find(({ game }) => game === 2);
  const { model } = sides[0][placeOf(sides[0], second.deal)];
  assert.ok(model.log.every(({ event }) => event.e === "cut" || event.e === "dealt"));
});

test("a step that does not exist becomes the nearest one", () => {
  assert.equal(placeOf(sides[0], 0), 0);
  assert.equal(placeOf(sides[0], 9999), sides[0].length - 1);
  const { last } = data.hands[0];
  assert.equal(sides[0][placeOf(sides[0], last, 7)].part, 3);
});

test("up and down go from deal to deal", () => {
  const [one, two] = data.hands;
  const atDeal = placeOf(sides[0], two.deal);
  assert.equal(sides[0][handPlace(data, sides[0], atDeal, -1)].step, one.deal);
  assert.equal(sides[0][handPlace(data, sides[0], atDeal + 3, -1)].step, two.deal);
  assert.equal(sides[0][handPlace(data, sides[0], placeOf(sides[0], one.deal), 1)].step, two.deal);
  assert.equal(handPlace(data, sides[0], sides[0].length - 1, 1), sides[0].length - 1);
  assert.equal(sides[0][handPlace(data, sides[0], 0, -1)].step, one.deal);
});

test("the slider covers the game being shown", () => {
  const second = placeOf(sides[0], data.hands.find(({ game }) => game === 2).deal);
  const [from, to] = gameRange(sides[0], second);
  assert.equal(sides[0][from].game, 2);
  assert.equal(sides[0][from - 1].game, 1);
  assert.equal(to, sides[0].length - 1);
});

test("the address holds the position and the side", () => {
  const position = sides[1][placeOf(sides[1], data.hands[0].last, 2)];
  const own = { side: 1, open: false };
  assert.equal(addressOf(data, position, own), `/matches/abc/1.1/${position.step}.2/`);
  const open = addressOf(data, { ...position, part: 0 }, { side: 0, open: true });
  assert.equal(open, `/matches/abc/1.1/${position.step}/?side=0&open=1`);
  assert.deepEqual(lookOf("?side=0&open=1", data), { side: 0, open: true });
  assert.deepEqual(lookOf("?side=7&open=yes", data), { side: 1, open: false });
  assert.deepEqual(lookOf("", { ...data, own: null }), { side: 0, open: false });
});

test("each key has one action, and letter keys can be disabled", () => {
  const done = [];
  const player = {
    store: { get: () => ({ side: 1, open: false }) },
    data,
    positions: sides[0],
    move: (by) => done.push(["move", by]),
    hand: (by) => done.push(["hand", by]),
    show: (at) => done.push(["show", at]),
    look: (change) => done.push(["look", change]),
  };
  for (const key of ["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", "Home", "End", "o", "F"]) {
    workOf(key, player, true)();
  }
  assert.deepEqual(done, [
    ["move", 1],
    ["move", -1],
    ["hand", -1],
    ["hand", 1],
    ["show", 0],
    ["show", sides[0].length - 1],
    ["look", { open: true }],
    ["look", { side: 0 }],
  ]);
  assert.equal(workOf("o", player, false), undefined);
  assert.equal(workOf("x", player, true), undefined);
});
