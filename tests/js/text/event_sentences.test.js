import assert from "node:assert/strict";
import { test } from "node:test";
import { logLine, spoken } from "../../../static/js/text/event_sentences.js";

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
