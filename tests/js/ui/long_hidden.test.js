import assert from "node:assert/strict";
import { test } from "node:test";
import { LongHidden } from "../../../static/js/ui/long_hidden.js";
import { FakeClock } from "../support.js";

function shown(hidden) {
  const clock = new FakeClock();
  const page = Object.assign(new EventTarget(), { hidden });
  const turn = (now) => {
    page.hidden = now;
    page.dispatchEvent(new Event("visibilitychange"));
  };
  const calls = [];
  const away = new LongHidden(() => calls.push(clock.now), page, clock);
  return { away, clock, turn, calls };
}

test("a page is long hidden after half a minute, once, until it is shown", () => {
  const { away, clock, turn, calls } = shown(false);
  turn(true);
  clock.pass(29_000);
  assert.equal(away.now, false);
  clock.pass(60_000);
  assert.equal(away.now, true);
  assert.deepEqual(calls, [30_000]);
  turn(false);
  assert.equal(away.now, false);
});

test("a glance at another tab does not count, and a page may be opened hidden", () => {
  const glance = shown(false);
  for (const hidden of [true, false, true]) {
    glance.turn(hidden);
    glance.clock.pass(20_000);
  }
  assert.deepEqual(glance.calls, []);
  const { clock, calls } = shown(true);
  clock.pass(30_000);
  assert.equal(calls.length, 1);
});
