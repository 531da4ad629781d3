import assert from "node:assert/strict";
import { test } from "node:test";
import { dueLines } from "../../static/js/due.js";
import { momentText } from "../../static/js/moments.js";
import { keyBytes } from "../../static/js/push.js";

const NOW = Date.UTC(2026, 10, 21, 12, 0); // a Saturday
const HOUR = 3600 * 1000;

const state = {
  table: { status: "playing", seats: [{ name: "Bob" }, { name: "Ann" }] },
  view: { v: 7, seat: 0 },
  due: { v: 7, seats: [1], days: 3, until: (NOW + 66.5 * HOUR) / 1000, late: false },
};

test("a moment within the week is told by its day, in the zone of who reads it", () => {
  const moment = NOW + 66.5 * HOUR;
  const berlin = { now: NOW, language: "de", timeZone: "Europe/Berlin" };
  assert.match(momentText(moment, berlin), /^Dienstag.* 07:30$/);
  assert.match(momentText(moment, { ...berlin, timeZone: "UTC" }), /^Dienstag.* 06:30$/);
});

test("one that is far off is told by its date", () => {
  const form = { now: NOW, language: "en-GB", timeZone: "UTC" };
  assert.match(momentText(NOW + 14 * 24 * HOUR, form), /^5 December.*12:00$/);
});

test("the table says until when somebody has to act", () => {
  assert.match(dueLines(state, NOW)[0], /^Ann has until Tuesday/);
  const own = { ...state, due: { ...state.due, seats: [0, 1] } };
  assert.match(dueLines(own, NOW)[0], /^You have until Tuesday/);
});

test("and that the time was up", () => {
  const late = { ...state, due: { ...state.due, late: true } };
  assert.match(dueLines(late, NOW)[0], /^The time of Ann was up/);
});

test("nothing is said of another version, of another match, or when it is over", () => {
  assert.deepEqual(dueLines({ ...state, view: { v: 8, seat: 0 } }, NOW), []);
  assert.deepEqual(dueLines({ ...state, due: null }, NOW), []);
  const over = { ...state, table: { ...state.table, status: "finished" } };
  assert.deepEqual(dueLines(over, NOW), []);
});

test("the site's key is read as the push manager wants it", () => {
  assert.deepEqual([...keyBytes("_-8")], [255, 239]);
});
