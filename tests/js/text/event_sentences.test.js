import assert from "node:assert/strict";
import { test } from "node:test";
import { logLine, recap, spoken } from "../../../static/js/text/event_sentences.js";

const won = { e: "game_won", game: 1, winner: 0, scores: [121, 90], skunks: [0, 1], points: 2 };

/**
 * A table of two, seen from a seat (null: by a watcher).
 * @param {number | null} seat
 * @param {(string | null)[]} left
 */
function state(seat, left) {
  const seats = ["Ann", "Bob"].map((name, at) => ({ seat: at, name, left: left[at] }));
  return { view: { seat }, table: { seats } };
}

test("nobody reads or hears that a player who left for good has won", () => {
  for (const seat of [0, 1, null]) {
    for (const how of ["timed_out", "left"]) {
      const gone = state(seat, [how, null]);
      const line = logLine(gone, won);
      assert.equal(line.head, "The computer finished the game");
      assert.equal(line.text, "121 – 90 · skunk");
      assert.equal(spoken(gone, won), "The computer finished the game, 121 to 90.");
    }
  }
});

test("a claim is named only where it differs from what the cards are worth", () => {
  const parts = [{ kind: "fifteen", cards: ["5H", "TD"], points: 2 }];
  const known = { points: 2, total: 2, parts };
  const open = { points: 2, total: null, parts: [] };
  for (const [counted, claimed, said] of [
    [open, 2, false],
    [known, 2, false],
    [known, 4, true],
    [{ ...known, points: 0 }, 0, true],
  ]) {
    const about = { seat: 0, card: "5H", cards: ["5H", "TD"], count: 15, ...counted, claimed };
    for (const e of ["counted", "played"]) {
      const { text } = logLine(state(0, [null, null]), { e, ...about });
      assert.equal(text.includes("claimed"), said, `${e}: ${text}`);
    }
  }
});

test("who reaches the end first has won, also after the other one left", () => {
  for (const left of [
    [null, null],
    [null, "timed_out"],
  ]) {
    assert.equal(logLine(state(0, left), won).head, "You won the game");
    assert.equal(spoken(state(1, left), won), "Ann won the game, 121 to 90.");
  }
});

test("the winner's points are heard first, then the others' from the most to the fewest", () => {
  const seats = ["Ann", "Bob", "Cleo"].map((name, seat) => ({ seat, name, left: null }));
  const lost = { ...won, winner: 1, scores: [101, 121, 105] };
  const said = spoken({ view: { seat: 0 }, table: { seats } }, lost);
  assert.equal(said, "Bob won the game, 121 to 105 to 101.");
});

test("a player is “you” within a sentence, and “You” where one begins", () => {
  const own = state(0, [null, null]);
  const cards = ["AS", "KH"];
  const cut = logLine(own, { e: "cut", cards, dealer: 0 });
  assert.match(cut.text, /; you to deal$/);
  const said = (event) => spoken(own, { seat: 0, points: 1, ...event });
  assert.equal(said({ e: "count_ended", reason: "go" }), "Go: 1 for you.");
  assert.equal(said({ e: "count_ended", reason: "last_card" }), "Last card: 1 for you.");
  assert.equal(said({ e: "heels" }), "His heels: 2 for you.");
  assert.equal(said({ e: "mugged" }), "Muggins: 1 for you.");
  assert.equal(said({ e: "dealt", hand: 2, dealer: 0 }), "Hand 2. Dealer: you.");
  assert.equal(said({ e: "missed" }), "You missed 1.");
  assert.equal(said({ e: "count_ended", reason: "go", seat: 1 }), "Go: 1 for Bob.");
});

/**
 * What a player in seat 0 is told on coming back.
 * @param {object} before - what differs in the last view before the connection was lost
 * @param {object} now - what differs in the first view after it
 */
function told(before, now) {
  const view = {
    v: 7,
    game: 1,
    hand: 1,
    seat: 0,
    phase: "discard",
    count: 0,
    waiting: [1],
    pile: [],
  };
  const seats = ["Ann", "Bob", "Cy"].map((name, seat) => ({ seat, name, left: null }));
  const known = { ...view, ...before };
  return recap({ table: { seats }, view: { ...known, ...now }, before: known });
}

test("who comes back is not told that nothing has changed when it has", () => {
  assert.equal(told({}, {}), "nothing has changed");
  assert.equal(told({}, { v: 20, phase: "over", waiting: [] }), "the match is over");
  assert.equal(told({}, { v: 20, hand: 2, waiting: [0, 1] }), "hand 2, your turn");
  assert.equal(told({}, { v: 20, hand: 2, waiting: [1] }), "hand 2, waiting for Bob");
  assert.equal(told({ waiting: [1, 2] }, { v: 8, waiting: [2] }), "waiting for Cy");
});

test("who comes back is told the last card played, though it is still to be shown", () => {
  const play = {
    phase: "play",
    waiting: [0],
    count: 14,
    pile: [
      [1, "5H"],
      [1, "9C"],
    ],
  };
  assert.equal(told({ phase: "play" }, { v: 9, ...play }), "count 14, your turn, Bob played 9♣");
  const own = { ...play, pile: [[0, "9C"]], waiting: [1], count: 9 };
  assert.equal(told({ phase: "play" }, { v: 9, ...own }), "count 9");
});

test("a player whose win was claimed by another is not heard to have resigned", () => {
  const seats = ["Ann", "Bob"].map((name, seat) => ({ seat, name, left: null }));
  const said = (claimed) =>
    spoken({ view: { seat: 0 }, table: { seats, claimed } }, { e: "resigned", seat: 1 });
  assert.equal(said(null), "Bob resigned.");
  assert.equal(said("absent"), "Bob: was away; the win was claimed");
  assert.equal(said("idle"), "Bob: stopped playing; the win was claimed");
  assert.equal(said("late"), "Bob: ran out of time; the win was claimed");
});

test("a call of muggins that takes nothing is not logged or heard as points taken", () => {
  const called = { e: "mugged", seat: 1, victim: 0, item: "hand", points: 0, scores: [3, 4] };
  const seen = state(0, [null, null]);
  assert.equal(logLine(seen, called).text, "Muggins! Nothing missed");
  assert.equal(spoken(seen, called), "Bob: Muggins! Nothing missed");
  assert.equal(logLine(seen, { ...called, points: 2 }).text, "muggins from you");
  assert.equal(spoken(seen, { ...called, points: 2 }), "Muggins: 2 for Bob.");
});

test("the reason for points begins a sentence", () => {
  const parts = [{ kind: "fifteen", points: 2, cards: ["TC", "5S"] }];
  const played = { e: "played", seat: 1, card: "5S", count: 15, points: 2, parts };
  assert.equal(
    spoken(state(0, [null, null]), played),
    "Bob played the five of spades. Count 15. Fifteen, 2 points.",
  );
});
