import assert from "node:assert/strict";
import { test } from "node:test";
import { follow, PENDING } from "../../../static/js/table/recap.js";

/** @param {(string | number | Error)[]} answers - a text, a status, or a failed request */
function server(answers) {
  const shown = [];
  const left = [...answers];
  return {
    shown,
    left,
    parts: {
      address: "/matches/abc/recap/",
      load: async () => {
        const next = left.shift();
        if (next instanceof Error) throw next;
        if (typeof next === "number") return { ok: false, status: next, text: async () => "" };
        return { ok: true, status: 200, text: async () => next };
      },
      show: (text) => shown.push(text),
      wait: async () => {},
      stopped: () => left.length === 0 && answers.length === 0,
    },
  };
}

test("a recap is fetched again until no part of it is pending", async () => {
  const pending = `<p ${PENDING}>soon</p>`;
  const { parts, shown, left } = server([
    pending,
    new Error("offline"),
    502,
    pending,
    "whole",
    "x",
  ]);
  assert.equal(await follow(parts), true);
  assert.deepEqual(shown, [pending, pending, "whole"]);
  assert.deepEqual(left, ["x"]);
});

test("a refused recap is not asked for again", async () => {
  const { parts, shown, left } = server([404, "x"]);
  assert.equal(await follow(parts), false);
  assert.deepEqual(shown, []);
  assert.deepEqual(left, ["x"]);
});
