import assert from "node:assert/strict";
import { test } from "node:test";
import { added, begun, shorter, storable, wrong } from "../../../static/js/entry/record.js";

const RULES = { players: 2, target: 121, first_dealer: 1 };
const asked = (need, seat, more = {}) => ({ need, seat, hand: 1, dealer: 1, number: 1, ...more });

test("picked cards are added where they were asked for, without changing the previous record", () => {
  const empty = begun(RULES);
  let record = added(empty, asked("dealt", 0), ["5H", "2C"]);
  record = added(record, asked("dealt", 1), ["KD"]);
  record = added(record, asked("discard", 0), ["5H"]);
  record = added(record, asked("starter", null), ["9S"]);
  record = added(record, asked("play", 0), ["2C"]);
  assert.deepEqual(empty, { ...RULES, hands: [] });
  assert.deepEqual(record.hands, [
    {
      dealer: 1,
      dealt: [["5H", "2C"], ["KD"]],
      crib_card: null,
      discards: [["5H"], []],
      starter: "9S",
      plays: [[0, "2C"]],
    },
  ]);
  const next = added(record, { ...asked("dealt", 1), hand: 2, dealer: 0 }, ["AC"]);
  assert.equal(next.hands.length, 2);
  assert.equal(next.hands[1].dealer, 0);
});

test("with three players the card dealt to the crib is recorded", () => {
  const three = begun({ ...RULES, players: 3 });
  const record = added(three, asked("crib_card", null), ["5H"]);
  assert.equal(record.hands[0].crib_card, "5H");
  assert.equal(record.hands[0].dealt.length, 3);
});

test("an incomplete deal is not stored", () => {
  const record = added(begun(RULES), asked("dealt", 0), ["5H"]);
  assert.deepEqual(storable(record, asked("dealt", 1)).hands, []);
  assert.equal(storable(record, asked("play", 1)).hands.length, 1);
});

test("impossible input is reported at once", () => {
  const now = asked("discard", 0, { cards: ["5H", "2C", "KD"], left: ["9S"], number: 2 });
  assert.equal(wrong(["5H"], now), null);
  assert.equal(wrong(["5H", "KD"], now), null);
  assert.deepEqual(wrong(null, now), { kind: "no card" });
  assert.deepEqual(wrong(["5H", "5H"], now), { kind: "twice", card: "5H" });
  assert.deepEqual(wrong(["9S"], now), { kind: "not held", card: "9S" });
  assert.deepEqual(wrong(["AC"], now), { kind: "gone", card: "AC" });
  assert.deepEqual(wrong(["5H", "2C", "KD"], now), { kind: "too many" });
});

for (const players of [2, 3]) {
  test(`the last step is taken back without knowing the earlier ones, with ${players} players`, () => {
    const dealer = 1;
    const clockwise = Array.from({ length: players }, (_, at) => (dealer + 1 + at) % players);
    const steps = [
      ...clockwise.map((seat) => [asked("dealt", seat), ["5H", "2C"]]),
      ...(players === 3 ? [[asked("crib_card", null), ["AC"]]] : []),
      ...clockwise.map((seat) => [asked("discard", seat), ["5H"]]),
      [asked("starter", null), ["9S"]],
      [asked("play", clockwise[0]), ["2C"]],
      [asked("play", clockwise[1]), ["3C"]],
      [asked("dealt", 0, { hand: 2, dealer: 2 % players }), ["KD"]],
    ];
    const records = [begun({ ...RULES, players })];
    for (const [now, cards] of steps) records.push(added(records.at(-1), now, cards));
    // What a reload keeps is the newest record alone.
    let record = JSON.parse(JSON.stringify(records.at(-1)));
    for (const before of records.slice(0, -1).reverse()) {
      record = shorter(record);
      assert.deepEqual(record, before);
    }
  });
}
