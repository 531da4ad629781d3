import assert from "node:assert/strict";
import { test } from "node:test";
import { keyBytes } from "../../../static/js/net/web_push.js";
import { deadlineLines, mayPlan } from "../../../static/js/table/turn_deadline.js";
import { localTimeText } from "../../../static/js/text/local_time.js";

const NOW = Date.UTC(2026, 10, 21, 12, 0); // a Saturday
const HOUR = 3600 * 1000;

const state = {
  table: { status: "playing", seats: [{ name: "Bob" }, { name: "Ann" }] },
  view: { v: 7, seat: 0 },
  due: { v: 7, days: 3, seats: [due(1)] },
};

function due(seat, other = {}) {
  return { seat, until: (NOW + 66.5 * HOUR) / 1000, late: false, away: null, ...other };
}

test("a time within a week is shown with its weekday, in the reader's time zone", () => {
  const moment = NOW + 66.5 * HOUR;
  const berlin = { now: NOW, language: "de", timeZone: "Europe/Berlin" };
  assert.match(localTimeText(moment, berlin), /^Dienstag.* 07:30$/);
  assert.match(localTimeText(moment, { ...berlin, timeZone: "UTC" }), /^Dienstag.* 06:30$/);
});

test("a distant time is shown with its date", () => {
  const form = { now: NOW, language: "en-GB", timeZone: "UTC" };
  assert.match(localTimeText(NOW + 14 * 24 * HOUR, form), /^Dec 5, 12:00$/);
});

test("the table shows who has to act and until when", () => {
  assert.match(deadlineLines(state, NOW)[0], /^Ann has until Tuesday/);
  const own = { ...state, due: { ...state.due, seats: [due(0), due(1)] } };
  assert.match(deadlineLines(own, NOW)[0], /^You have until Tuesday/);
});

test("the table shows that a deadline has passed", () => {
  const late = { ...state, due: { ...state.due, seats: [due(1, { late: true })] } };
  assert.match(deadlineLines(late, NOW)[0], /^Ann ran out of time/);
});

test("the table shows until when a player is away, but not for one who was late before", () => {
  const away = (NOW + 90.5 * HOUR) / 1000;
  const shown = (seats) => deadlineLines({ ...state, due: { ...state.due, seats } }, NOW);
  assert.match(
    shown([due(1, { away })])[0],
    /^Ann is away until Wednesday.*The deadline is paused\.$/,
  );
  assert.match(shown([due(0, { away })])[0], /^You're away until Wednesday/);
  assert.match(shown([due(1, { away, late: true })])[0], /^Ann ran out of time Tuesday/);
});

test("until the next deadlines come, those of players who must still act stay", () => {
  const after = (waiting) => deadlineLines({ ...state, view: { v: 8, seat: 0, waiting } }, NOW);
  assert.deepEqual(after([1]), deadlineLines(state, NOW));
  assert.deepEqual(after([0]), []);
});

test("no deadline is shown without one, or after the match", () => {
  assert.deepEqual(deadlineLines({ ...state, due: null }, NOW), []);
  const over = { ...state, table: { ...state.table, status: "finished" } };
  assert.deepEqual(deadlineLines(over, NOW), []);
});

test("the site's push key is decoded to bytes", () => {
  assert.deepEqual([...keyBytes("_-8")], [255, 239]);
});

test("the next play can be planned only while the opponent is about to play a card", () => {
  const playing = { plan: "/t/x/plan/", view: { seat: 0, phase: "play", waiting: [1] } };
  assert.equal(mayPlan(playing), true);
  assert.equal(mayPlan({ ...playing, plan: null }), false);
  assert.equal(mayPlan({ ...playing, view: { ...playing.view, waiting: [0] } }), false);
  assert.equal(mayPlan({ ...playing, view: { ...playing.view, phase: "discard" } }), false);
  assert.equal(mayPlan({ ...playing, view: { ...playing.view, seat: null } }), false);
});
