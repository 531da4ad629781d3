import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isAskedToPlay,
  missedPlayers,
  secondsToChoice,
  stillThere,
  waitingFor,
} from "../../../static/js/table/absent_players.js";

const LATE = { can_stand_in: true, can_claim: true, offer_in: null };

/**
 * A match of Ann and Bob in which Bob must play, as `seat` sees it.
 * @param {number | null} seat
 * @param {object} table
 */
function seen(seat, table, waiting = [1]) {
  const seats = [
    { seat: 0, name: "Ann", kind: "guest" },
    { seat: 1, name: "Bob", kind: "guest" },
  ];
  return /** @type {any} */ ({
    view: { seat, waiting },
    table: { status: "playing", you: seat, seats, absent: [], idle: [], ...table },
  });
}

test("a player who has not acted for long is asked, and told who may go on without them", () => {
  const idle = [{ seat: 1, v: 7, ...LATE, offer_in: 120 }];
  assert.equal(
    stillThere(seen(1, { idle })),
    "Still there? It's your turn. Soon Ann can go on without you.",
  );
  assert.equal(
    stillThere(seen(1, { idle: [{ seat: 1, v: 7, ...LATE }] })),
    "Still there? It's your turn. Ann can now go on without you.",
  );
  assert.equal(isAskedToPlay(seen(1, { idle }).table), true);
  for (const other of [seen(0, { idle }), seen(null, { idle }), seen(1, {})]) {
    assert.equal(stillThere(other), null);
    assert.equal(isAskedToPlay(other.table), false);
  }
});

test("who waits sees the absent and the idle, and who must act decides about no idle one", () => {
  const idle = [{ seat: 1, v: 7, ...LATE }];
  assert.deepEqual(missedPlayers(seen(0, { idle })), [{ ...idle[0], away: false }]);
  assert.deepEqual(missedPlayers(seen(0, { absent: idle })), [{ ...idle[0], away: true }]);
  assert.deepEqual(missedPlayers(seen(0, { idle }, [0, 1])), []);
  assert.deepEqual(missedPlayers(seen(1, { idle })), []);
  assert.deepEqual(missedPlayers(seen(null, { idle })), []);
  assert.deepEqual(missedPlayers(seen(0, { idle, status: "finished" })), []);
});

test("of several who are missed, the one about whom there is a choice first comes first", () => {
  const absent = [
    { seat: 1, v: 7, ...LATE, offer_in: 20 },
    { seat: 2, v: 7, ...LATE, offer_in: 12 },
  ];
  const seats = (/** @type {object} */ table) =>
    missedPlayers(seen(0, table)).map(({ seat }) => seat);
  assert.deepEqual(seats({ absent }), [2, 1]);
  assert.deepEqual(
    seats({ absent: absent.slice(0, 1), idle: [{ seat: 2, v: 7, ...LATE }] }),
    [2, 1],
  );
});

test("the seconds before a choice say what there will be to choose", () => {
  assert.equal(secondsToChoice(29), "You can go on in 29 seconds.");
  assert.equal(secondsToChoice(1), "You can go on in 1 second.");
});

test("one absent player and several have a sentence of their own", () => {
  const state = seen(2, {});
  const entry = (/** @type {number} */ seat, /** @type {boolean} */ away) => ({
    seat,
    v: 7,
    ...LATE,
    away,
  });
  assert.equal(waitingFor([entry(0, true)], state), "Waiting for Ann to reconnect.");
  assert.equal(waitingFor([entry(1, false)], state), "Bob hasn't played for a while.");
  assert.equal(waitingFor([entry(0, true), entry(1, false)], state), "Waiting for Ann and Bob.");
  assert.equal(
    waitingFor([entry(0, true), entry(1, true)], state),
    "Waiting for Ann and Bob to reconnect.",
  );
});

test("several absent players have a text of their own, for languages in which the verb agrees", () => {
  const asked = /** @type {string[]} */ ([]);
  globalThis.gettext = (text) => {
    asked.push(text);
    return text;
  };
  try {
    const away = [0, 1].map((seat) => ({ seat, v: 7, ...LATE, away: true }));
    waitingFor(away, seen(2, {}));
    waitingFor(away.slice(0, 1), seen(2, {}));
  } finally {
    // @ts-expect-error: no catalogue was loaded before
    delete globalThis.gettext;
  }
  assert.ok(asked.includes("Waiting for %(names)s to reconnect."));
  assert.ok(asked.includes("Waiting for %(name)s to reconnect."));
});
