import assert from "node:assert/strict";
import { test } from "node:test";
import {
  callEach,
  countLines,
  countSentence,
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

test("his nobs come last", () => {
  assert.equal(countSentence([run, nobs]), "a run of three is three, and his nobs is four");
});

test("two runs and their pair are one line, a double run", () => {
  const other = { kind: "run", cards: ["3D", "4D", "5C"], points: 3 };
  const lines = countLines([fifteen("5H", "KC"), pair, run, other]);
  assert.deepEqual(
    lines.map(({ text, points, total }) => [text, points, total]),
    [
      ["fifteen two", 2, 2],
      ["and a double run of three is ten", 8, 10],
    ],
  );
  assert.deepEqual(lines[1].cards, ["5H", "5C", "3D", "4D"]);
});

test("a count of nothing is one word", () => {
  assert.equal(countSentence([]), "nothing");
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
  assert.equal(lines.at(-1).text, "fifteen four");
});

test("the reasons for pegging points are listed", () => {
  const all = { kind: "thirty_one", cards: [], points: 2 };
  assert.equal(playReason([all, { ...run, cards: [1, 2, 3, 4] }]), "thirty-one and a run of four");
});

test("a beginner's count calls each run and pair by itself", () => {
  const other = { kind: "run", cards: ["3D", "4D", "5C"], points: 3 };
  callEach(true);
  try {
    assert.equal(
      countSentence([pair, run, other]),
      "a pair is two, a run of three is five, and a run of three is eight",
    );
  } finally {
    callEach(false);
  }
  assert.equal(countSentence([pair, run, other]), "double run of three is eight");
});
