import assert from "node:assert/strict";
import { test } from "node:test";
import { Controller } from "../../../static/js/table/controller.js";
import { requiredAction } from "../../../static/js/table/required_action.js";
import { Scores } from "../../../static/js/table/result.js";
import { hasWon, resultTitle, winnerOf } from "../../../static/js/table/result_title.js";

/**
 * A match of two, seen from seat 0, which seat 1 has won at the board.
 * @param {{ left?: (string | null)[], over?: boolean }} [how]
 */
function state({ left = [null, null], over = true } = {}) {
  const winner = { winner: 1 };
  return {
    model: { players: 2, won: over ? winner : null, over: over ? winner : null },
    view: { seat: 0, resigned: null, legal: { action: "wait" }, waiting: [1] },
    ruleset: { games: 1 },
    table: {
      status: over ? "finished" : "playing",
      seats: [
        { seat: 0, name: "Ann", left: left[0], stand_in: left[0] && "Ada" },
        { seat: 1, name: "Bob", left: left[1], stand_in: left[1] && "Ada" },
      ],
    },
  };
}

test("who leaves has lost, and the other has won, whatever the computer made of it", () => {
  assert.equal(resultTitle(state()), "Bob won");
  assert.equal(hasWon(state()), false);
  assert.equal(resultTitle(state({ left: [null, "timed_out"] })), "You won: Bob ran out of time");
  assert.equal(hasWon(state({ left: [null, "left"] })), true);
  assert.equal(resultTitle(state({ left: ["timed_out", null] })), "You lost on time");
  assert.equal(hasWon(state({ left: ["left", null] })), false);
});

test("no title or mark calls a player who left the winner, for watchers and at tables of three", () => {
  const watched = state({ left: [null, "timed_out"] });
  watched.view.seat = null;
  assert.equal(resultTitle(watched), "Ann won");
  assert.equal(winnerOf(watched), 0);
  const all = state({ left: ["left", "timed_out"] });
  all.view.seat = null;
  assert.equal(resultTitle(all), "The computer finished the game");
  const three = state({ left: [null, "timed_out"] });
  three.model.players = 3;
  three.table.seats.push({ seat: 2, name: "Cy", left: null, stand_in: null });
  assert.equal(resultTitle(three), "The computer finished the game");
  assert.equal(hasWon(three), false);
  assert.equal(winnerOf(three), null);
});

test("the scores mark the winner of the last game, also when the other has won the match", () => {
  const marked = (ended) => {
    const won = { winner: 1, scores: [90, 121] };
    const shown = { ...ended, model: { ...ended.model, won } };
    const rows = Scores({ won, state: shown }).props.children;
    return rows.map((row) => row.props.class.includes("winner"));
  };
  const match = state();
  match.model.over = { winner: 0 };
  match.ruleset.games = 3;
  assert.deepEqual(marked(match), [false, true]);
  assert.deepEqual(marked(state({ left: [null, "timed_out"] })), [true, false]);
});

test("a seat lost for good is not offered back, and the table says what it costs", () => {
  const lost = requiredAction(state({ left: ["timed_out", null], over: false }));
  assert.equal(lost.kind, "left");
  assert.match(lost.title, /^Time ran out: this game counts as lost\./);
  const resigned = requiredAction(state({ left: ["left", null], over: false }));
  assert.match(resigned.title, /^You resigned: this game counts as lost\./);
  const ended = state({ left: ["timed_out", null] });
  ended.table.seats[0].stand_in = "Ada";
  ended.table.status = "playing"; // the table's message comes after the last move
  ended.view.legal = { action: "over" };
  assert.equal(requiredAction(ended).kind, "over");
  const away = state({ over: false });
  away.table.seats[0].stand_in = "Ada";
  assert.equal(requiredAction(away).kind, "return");
});

test("who was away, idle or late is not said to have resigned, or to have been away, when the win was claimed", () => {
  const titled = (seat, days = null) => {
    const claimed = state();
    Object.assign(claimed.view, { seat, resigned: 1 });
    claimed.table.claimed = true;
    return resultTitle({ ...claimed, days });
  };
  assert.equal(titled(0), "You won: Bob took too long");
  assert.equal(titled(1), "You took too long and lost");
  assert.equal(titled(null), "Bob took too long");
  assert.equal(titled(0, "3"), "You won: Bob ran out of time");
  assert.equal(titled(1, "3"), "You lost on time");
  const resigned = state();
  resigned.view.resigned = 1;
  assert.equal(resultTitle(resigned), "You won: Bob resigned");
});

test("a resignation is heard with the result, once the table tells whether the win was claimed", () => {
  const heard = [];
  const store = { get: () => state(), set: () => {} };
  const announcer = { say: (text) => text && heard.push(text), insist: (text) => heard.push(text) };
  const controller = new Controller({ store, url: "ws://nowhere/", match: "m", announcer });
  controller.sounds = { play: () => {} };
  controller.onEvent({ e: "resigned", seat: 1 }, state().model);
  controller.onEvent({ e: "match_over", winner: 0, match_points: [1, 0] }, state().model);
  assert.deepEqual(heard, ["You won the match."]);
});
