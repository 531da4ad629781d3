import assert from "node:assert/strict";
import { test } from "node:test";
import { inNextFrame } from "../../../static/js/ui/frames.js";
import { createStore } from "../../../static/js/ui/store.js";
import { fakeFrames } from "../support.js";

const frames = fakeFrames();

function hide() {
  document.hidden = true;
  document.dispatchEvent(new Event("visibilitychange"));
}

test("work is done in the next frame, once", () => {
  let done = 0;
  inNextFrame(() => {
    done += 1;
  });
  assert.equal(done, 0);
  frames[0]();
  hide();
  assert.equal(done, 1);
});

test("work done when the page is hidden is not done again in the frame that the browser kept", () => {
  let done = 0;
  inNextFrame(() => {
    done += 1;
  });
  hide();
  frames[0]();
  assert.equal(done, 1);
});

test("a page that is hidden before its frame is drawn at once, and again after later changes", async () => {
  const drawn = [];
  const store = createStore({ turn: "theirs" }, ({ turn }) => drawn.push(turn));
  store.set({ turn: "nobody's" });
  hide();
  assert.deepEqual(drawn, ["nobody's"]);
  store.set({ turn: "yours" });
  await new Promise((then) => setTimeout(then, 1));
  assert.deepEqual(drawn, ["nobody's", "yours"]);
});
