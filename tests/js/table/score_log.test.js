import assert from "node:assert/strict";
import { test } from "node:test";
import { loggedHands } from "../../../static/js/table/score_log.js";

const table = { seats: [{ name: "Ann" }, { name: "Bob" }] };
const parts = [{ kind: "fifteen", cards: ["5H", "KC"], points: 2 }];
const played = { e: "played", seat: 1, card: "5H", count: 15, points: 2, parts, scores: [2, 2] };
const out = { ...played, scores: [2, 3] }; // pegs out with the first of two points
const events = [
  { e: "cut", cards: ["3C", "3D"], dealer: null },
  { e: "cut", cards: ["2C", "KD"], dealer: 0 },
  { e: "dealt", game: 1, hand: 1, dealer: 0 },
  { e: "starter", card: "JC" },
  { e: "heels", seat: 0, points: 2, scores: [2, 0] },
  played,
  out,
  { e: "dealt", game: 1, hand: 2, dealer: 1 },
  { e: "starter", card: "4S" },
  { e: "game_won", winner: 1, scores: [2, 121], skunks: [0, 0] },
];

function logged(list) {
  const log = list.map((event) => ({ event, game: 1, hand: 1 }));
  return loggedHands({ model: { log }, table, view: { seat: 0 } });
}

test("the log reads in order: each heading stands before its own lines", () => {
  const hands = logged(events);
  assert.deepEqual(
    hands.map(({ head, lines }) => [head?.head, lines.length]),
    [
      ["Hand 1", 6],
      ["Hand 2", 1],
      ["Bob won the game", 0],
    ],
  );
  assert.match(hands[0].lines[0].text, /tie/);
  assert.match(hands[0].lines.at(-1).text, /fifteen/);
});

test("a folded hand shows its starter and what each seat scored, none past the last hole", () => {
  const [first, second] = logged(events);
  assert.equal(first.starter, "JC");
  assert.deepEqual(
    [...first.points],
    [
      [0, 2],
      [1, 3],
    ],
  );
  assert.equal(second.starter, "4S");
  assert.equal(second.points.size, 0);
});

test("a hand keeps its key while it grows, so that it stays folded or open", () => {
  const keys = events.map((_, at) => logged(events.slice(0, at + 1)).map(({ key }) => key));
  assert.deepEqual(keys[1], keys[0]);
  assert.deepEqual(keys[6], keys[0]);
  assert.deepEqual(keys[7].slice(0, 1), keys[0]);
});
