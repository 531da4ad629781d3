import assert from "node:assert/strict";
import { test } from "node:test";
import { keepAsking } from "../../../static/js/ui/keep_asking.js";

/**
 * The pauses before each question, and whether the page says after each that it fails.
 * @param {(boolean | Error)[]} answers
 */
async function asked(answers) {
  const waited = [];
  const told = [];
  await keepAsking({
    look: async () => {
      const next = answers.shift();
      if (next instanceof Error) throw next;
      return next;
    },
    tell: (failing) => told.push(failing),
    wait: async (ms) => waited.push(ms),
  });
  return { waited, told };
}

const failed = new Error("status 502");

test("a page asks less often after each failure in a row, and as often as before after an answer", async () => {
  const failures = Array(5).fill(failed);
  const { waited, told } = await asked([true, ...failures, true, false]);
  assert.deepEqual(waited, [4000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 4000]);
  assert.deepEqual(told, [false, true, true, true, true, true, false, false]);
});

test("no page asks again once it leaves", async () => {
  assert.deepEqual(await asked([false, true]), { waited: [4000], told: [false] });
});
