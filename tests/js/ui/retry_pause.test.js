import assert from "node:assert/strict";
import { test } from "node:test";

import { retryPause } from "../../../static/js/ui/retry_pause.js";

test("the pause doubles up to half a minute", () => {
  assert.deepEqual([1, 2, 3, 5, 6, 60].map(retryPause), [1000, 2000, 4000, 16_000, 30_000, 30_000]);
});
