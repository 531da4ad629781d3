import assert from "node:assert/strict";
import { test } from "node:test";
import { askLine, Coach, keysOf } from "../../../static/js/table/coach.js";
import { Playback } from "../../../static/js/table/playback.js";
import { FakeClock, match } from "../support.js";

class Kept {
  items = new Map();
  getItem(key) {
    return this.items.get(key) ?? null;
  }
  setItem(key, value) {
    this.items.set(key, value);
  }
}

const script = {
  "1.ask.play": "play",
  "1.ask.play.lead": "lead",
  "played.fifteen": "fifteen",
  "1.played.other": "the other",
  "counted.crib.own": "crib",
};

test("an event's keys go from most to least specific, with whose event it is", () => {
  const event = { e: "counted", item: "crib", seat: 1 };
  assert.deepEqual(keysOf(event, { hand: 2, me: 1 }).slice(0, 4), [
    "2.counted.crib.own",
    "2.counted.crib",
    "counted.crib.own",
    "counted.crib",
  ]);
  assert.ok(keysOf({ e: "game_won", winner: 0 }, { hand: 4, me: 1 }).includes("game_won.other"));
});

test("a question has the hand's line, and a separate one for a lead", () => {
  assert.equal(askLine(script, { kind: "play", lead: true, hand: 1 }), "lead");
  assert.equal(askLine(script, { kind: "play", lead: false, hand: 1 }), "play");
  assert.equal(askLine(script, { kind: "play", lead: false, hand: 2 }), null);
});

test("what pone is told about the lead goes with it, and doesn't return with a new count", () => {
  const coach = new Coach({ script, name: "m", kept: new Kept() });
  const now = { own: true, kind: "play" };
  const said = (plays) => coach.line({ now, view: { count: 0 }, model: { hand: 1, plays } });
  const lead = [{ seat: 0, card: "4H", run: 0 }];
  assert.equal(said([]), "lead");
  assert.equal(said(lead), "play");
  assert.ok(!coach.isPast({ coach: "lead", model: { hand: 1, plays: [] } }));
  assert.ok(coach.isPast({ coach: "lead", model: { hand: 1, plays: lead } }));
  assert.ok(!coach.isPast({ coach: "play", model: { hand: 1, plays: lead } }));
});

test("each sentence about an event is said once, even across a reload", () => {
  const kept = new Kept();
  const coach = new Coach({ script, name: "m", kept });
  const event = { e: "played", seat: 0, parts: [{ kind: "fifteen" }] };
  const model = { hand: 3, me: 0 };
  assert.ok(coach.has(event, model));
  coach.say(event, model);
  assert.equal(coach.now, "fifteen");
  assert.ok(!coach.has(event, model));
  assert.ok(!new Coach({ script, name: "m", kept }).has(event, model));
  assert.ok(new Coach({ script, name: "another", kept }).has(event, model));
});

test("when the coach speaks, the table waits for the player at any pace", () => {
  const clock = new FakeClock();
  const coach = new Coach({
    script: { starter: "that is the starter" },
    name: "m",
    kept: new Kept(),
  });
  const playback = new Playback({ show: () => {}, pace: () => "instant", coach, clock });
  const { first, steps } = match("two-games");
  playback.reset(first);
  for (const { events, view } of steps) {
    playback.push(events.flat(), view);
    if (coach.now) break;
  }
  assert.equal(coach.now, "that is the starter");
  assert.ok(playback.blocking);
  clock.pass(60_000);
  assert.ok(playback.blocking);
  playback.advance();
  assert.equal(coach.now, null);
  assert.ok(!playback.busy);
});

test("the coach reacts to the cards that were really thrown", () => {
  const said = { "1.discarded.9D KS.own": "as advised", "1.discarded.own": "another way" };
  const coach = new Coach({ script: said, name: "m", kept: new Kept() });
  const event = { e: "discarded", seat: 0, number: 2 };
  const heard = (seat, thrown) => {
    const key = coach.find({ ...event, seat }, { hand: 1, me: 0, thrown });
    return key && said[key];
  };
  assert.equal(heard(0, ["KS", "9D"]), "as advised");
  assert.equal(heard(0, ["KS", "4H"]), "another way");
  assert.equal(heard(1, ["KS", "9D"]), null);
});
