import assert from "node:assert/strict";
import { test } from "node:test";
import { becomesReady, PAUSES } from "../../../static/js/pages/pending_result.js";

test("a page that waits looks less and less often, and gives up in the end", async () => {
  const paused = [];
  const pause = async (seconds) => void paused.push(seconds);
  assert.equal(await becomesReady(async () => false, pause), false);
  assert.deepEqual(paused, PAUSES);
  assert.deepEqual(
    paused,
    [...paused].sort((one, other) => one - other),
  );
});

test("a page that waits looks no further once the result is ready", async () => {
  let looks = 0;
  assert.equal(
    await becomesReady(
      async () => ++looks === 3,
      async () => {},
    ),
    true,
  );
  assert.equal(looks, 3);
});
