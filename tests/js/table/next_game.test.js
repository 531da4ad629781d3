import assert from "node:assert/strict";
import { test } from "node:test";
import { followNext } from "../../../static/js/table/next_game.js";

/**
 * What the page tells while it asks, and the answers that are left.
 * @param {(object | number | Error)[]} answers - what is told, a status, or a failed request
 * @param {() => boolean} hidden - whether no one sees the page
 * @param {number[]} waited - gets the milliseconds between two questions
 */
async function asked(answers, hidden = () => false, waited = []) {
  const left = [...answers];
  const told = [];
  await followNext({
    address: "/next-game/abc/",
    load: async () => {
      const next = left.shift();
      if (next instanceof Error) throw next;
      if (typeof next === "number") return { ok: false, status: next, json: async () => ({}) };
      return { ok: true, status: 200, json: async () => next.broken ?? next };
    },
    tell: (table) => told.push(table),
    wait: async (ms) => waited.push(ms),
    stopped: () => left.length === 0,
    hidden,
  });
  return { told, left };
}

const waits = { table: "", again: 5 };

test("a player is told of the next table once its game has begun", async () => {
  const answers = [waits, new Error("offline"), 502, waits, { table: "/t/x/", again: 0 }, 404];
  const { told, left } = await asked(answers);
  assert.equal(told.at(-1), "/t/x/");
  assert.deepEqual(left, [404]);
});

test("a table whose game is over makes room for the one after it", async () => {
  const first = { table: "/t/x/", again: 5 };
  const second = { table: "/t/y/", again: 5 };
  const { told } = await asked([first, first, waits, second, { table: "", again: 0 }, 404]);
  assert.deepEqual(told, ["/t/x/", "/t/x/", "", "/t/y/", ""]);
});

test("no one asks again once no game is to come", async () => {
  const { told, left } = await asked([waits, { table: "", again: 0 }, 404]);
  assert.deepEqual(told, ["", ""]);
  assert.deepEqual(left, [404]);
});

test("a page that no one sees asks nothing until it is seen", async () => {
  const looks = [true, true, false];
  const { told } = await asked([{ table: "/t/x/", again: 0 }, 404], () => looks.shift());
  assert.deepEqual(told, ["/t/x/"]);
  assert.deepEqual(looks, []);
});

test("a refused question is not repeated, but an answer that breaks off is", async () => {
  assert.deepEqual((await asked([404, waits])).left, [waits]);
  const broken = { broken: Promise.reject(new Error("broken off")) };
  const { told } = await asked([broken, { table: "/t/x/", again: 0 }, 404]);
  assert.deepEqual(told, ["/t/x/"]);
});

test("a page asks as often as it is told, and less often after each failure in a row", async () => {
  const waited = [];
  const early = { table: "", again: 20 };
  const failed = [502, new Error("offline"), 429];
  await asked(
    [new Error("offline"), early, ...failed, waits, { table: "", again: 0 }, 404],
    undefined,
    waited,
  );
  assert.deepEqual(waited, [10_000, 20_000, 40_000, 60_000, 60_000, 5000]);
});

test("a page that asked too often goes on later", async () => {
  const { told } = await asked([429, { table: "/t/x/", again: 0 }, 404]);
  assert.deepEqual(told, ["/t/x/"]);
});
