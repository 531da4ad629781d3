import assert from "node:assert/strict";
import { test } from "node:test";
import { nextTable } from "../../../static/js/table/next_game.js";

/** @param {(object | number | Error)[]} answers - what is told, a status, or a failed request */
function asked(answers) {
  const left = [...answers];
  const parts = {
    address: "/next-game/abc/",
    load: async () => {
      const next = left.shift();
      if (next instanceof Error) throw next;
      if (typeof next === "number") return { ok: false, status: next, json: async () => ({}) };
      return { ok: true, status: 200, json: async () => next };
    },
    wait: async () => {},
    stopped: () => left.length === 0,
  };
  return { parts, left };
}

const waits = { table: "", waits: true };

test("a player is told of the next table once its game has begun", async () => {
  const { parts, left } = asked([waits, new Error("offline"), 502, waits, { table: "/t/x/" }, 404]);
  assert.equal(await nextTable(parts), "/t/x/");
  assert.deepEqual(left, [404]);
});

test("no one asks again once no game is to come", async () => {
  const { parts, left } = asked([waits, { table: "", waits: false }, 404]);
  assert.equal(await nextTable(parts), "");
  assert.deepEqual(left, [404]);
});

test("a refused question is not repeated", async () => {
  const { parts, left } = asked([404, waits]);
  assert.equal(await nextTable(parts), "");
  assert.deepEqual(left, [waits]);
});
