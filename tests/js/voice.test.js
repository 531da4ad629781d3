import assert from "node:assert/strict";
import { test } from "node:test";
import { Director } from "../../static/js/director.js";
import { DEFAULTS } from "../../static/js/preferences.js";
import { Voice } from "../../static/js/voice.js";
import { FakeClock, match } from "./support.js";

/** All that a voice says of the first game of a match, at the pace of the table. */
function saidOf(name, settings) {
  const said = [];
  const speech = { cancel: () => {}, speak: (what) => said.push(what) };
  const voice = new Voice(
    () => settings,
    speech,
    (text) => ({ text }),
  );
  const clock = new FakeClock();
  const director = new Director({ clock, show: (model) => voice.shown(model) });
  const { first, steps } = match(name);
  director.reset(first);
  for (const { events, view } of steps) {
    director.push(events.flat(), view);
    clock.pass(120_000);
  }
  return { said, events: steps.flatMap(({ events }) => events.flat()) };
}

test("the counts are not said unless the player wants them", () => {
  assert.equal(DEFAULTS.voice, false);
  assert.deepEqual(saidOf("two-games", DEFAULTS).said, []);
  assert.deepEqual(saidOf("two-games", { ...DEFAULTS, voice: true, sound: false }).said, []);
  assert.deepEqual(saidOf("two-games", { ...DEFAULTS, voice: true, volume: 0 }).said, []);
});

test("each card is said with its count, each line of the show with its words, at the volume set", () => {
  const { said, events } = saidOf("two-games", { ...DEFAULTS, voice: true, volume: 0.3 });
  const texts = said.map(({ text }) => text);
  const cards = texts.filter((text) => /^(thirty(-one)?|[a-z-]+)( for [a-z]+)?$/.test(text));
  assert.ok(cards.length >= events.filter((event) => event.e === "played").length);
  assert.ok(texts.includes("fifteen for two"));
  assert.ok(texts.includes("fifteen two"));
  assert.ok(texts.some((text) => text.startsWith("and ")));
  assert.ok(said.every(({ volume }) => volume === 0.3));
  assert.ok(texts.every((text) => !/undefined|%\(/.test(text)));
});
