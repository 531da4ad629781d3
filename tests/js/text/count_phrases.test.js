import assert from "node:assert/strict";
import { test } from "node:test";
import {
  countLines,
  countSentence,
  partsSummary,
  playReason,
} from "../../../static/js/text/count_phrases.js";

const fifteen = (...cards) => ({ kind: "fifteen", cards, points: 2 });
const pair = { kind: "pair", cards: ["5H", "5C"], points: 2 };
const run = { kind: "run", cards: ["3D", "4D", "5H"], points: 3 };
const nobs = { kind: "nobs", cards: ["JD"], points: 1 };

test("a count reads as players say it", () => {
  const parts = [fifteen("5H", "KC"), fifteen("5C", "KC"), pair];
  assert.equal(countSentence(parts), "fifteen two, fifteen four, and a pair is six");
});

test("a single line has no 'and'", () => {
  assert.equal(countSentence([run]), "a run of three is three");
});

test("nobs come last and have their own phrase", () => {
  assert.equal(countSentence([run, nobs]), "a run of three is three, and one for his nob is four");
});

test("a count of nothing is called nineteen", () => {
  assert.equal(countSentence([]), "nineteen: nothing");
});

test("each line has its cards and the running total", () => {
  const lines = countLines([fifteen("5H", "KC"), run]);
  assert.deepEqual(
    lines.map(({ cards, total }) => [cards, total]),
    [
      [["5H", "KC"], 2],
      [["3D", "4D", "5H"], 5],
    ],
  );
});

test("the count stops at the line that reaches the points needed", () => {
  const lines = countLines([fifteen("5H", "KC"), fifteen("5C", "KC"), pair], 3);
  assert.equal(lines.length, 2);
  assert.equal(lines.at(-1).out, true);
  assert.equal(lines.at(-1).text, "and fifteen four");
});

test("the reasons for pegging points are listed", () => {
  const all = { kind: "thirty_one", cards: [], points: 2 };
  assert.equal(playReason([all, { ...run, cards: [1, 2, 3, 4] }]), "thirty-one and run of 4");
});

test("the log adds up combinations of the same kind", () => {
  assert.equal(partsSummary([fifteen("a"), fifteen("b"), pair]), "fifteen (4), pair (2)");
});
