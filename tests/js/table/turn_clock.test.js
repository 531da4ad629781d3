/* The countdown for a decision, by the server's clock. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { clockText, running, ServerTime, short } from "../../../static/js/table/turn_clock.js";

const state = (more) => ({
  table: { status: "playing" },
  view: { v: 7, seat: 0, waiting: [0, 1] },
  clock: { v: 7, seats: [0, 1], until: 60 },
  left: 30,
  ...more,
});

test("a wrong device clock does not matter", () => {
  let steady = 5;
  const time = new ServerTime(() => steady);
  time.update(1_000_000);
  assert.equal(time.until(1_000_060), 60);
  steady += 12.5;
  assert.equal(time.until(1_000_060), 47.5);
  steady += 600;
  assert.equal(time.until(1_000_060), 0, "never below nothing");
});

test("the message with the least delay determines the server's time", () => {
  let steady = 0;
  const time = new ServerTime(() => steady);
  steady = 3; // made at 100, three seconds on its way
  time.update(100);
  steady = 10; // made at 109.9, a tenth of a second on its way
  time.update(109.9);
  steady = 14; // made at 111.5
  time.update(111.5);
  assert.ok(Math.abs(time.until(120) - 6.1) < 1e-9);
});

test("a message that waited for the page tells the time at which it was heard", () => {
  const time = new ServerTime(() => 30);
  time.update(100, 20);
  assert.equal(time.until(160), 50);
});

test("after forgetting, a new server's clock is used", () => {
  const time = new ServerTime(() => 0);
  time.update(500);
  time.forget();
  time.update(100);
  assert.equal(time.until(160), 60);
});

test("time runs only for players who must act, and only for the current version", () => {
  assert.deepEqual(running(state()), [0, 1]);
  assert.deepEqual(running(state({ view: { v: 7, seat: 0, waiting: [1] } })), [1]);
  assert.deepEqual(running(state({ view: { v: 8, seat: 0, waiting: [0] } })), []);
  assert.deepEqual(running(state({ clock: null })), []);
  assert.deepEqual(running(state({ table: { status: "finished" } })), []);
});

test("players are warned only about their own time", () => {
  assert.equal(short(state({ left: 11 })), false);
  assert.equal(short(state({ left: 10 })), true);
  assert.equal(short(state({ left: 3, view: { v: 7, seat: 0, waiting: [1] } })), false);
  assert.equal(short(state({ left: 3, view: { v: 7, seat: null, waiting: [0] } })), false);
});

test("a long time is shown in minutes and seconds, a short one in seconds", () => {
  assert.deepEqual([465, 120, 100, 99, 9, 0].map(clockText), [
    "7:45",
    "2:00",
    "1:40",
    "99",
    "9",
    "0",
  ]);
});
