import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULTS } from "../../../static/js/access/preferences.js";
import { CountSpeaker } from "../../../static/js/access/speech.js";
import { Playback } from "../../../static/js/table/playback.js";
import { FakeClock, match } from "../support.js";

/** Everything the voice says during a match, at the table's pace, and the match's events. */
function saidOf(name, settings) {
  const said = [];
  const speech = { cancel: () => {}, speak: (what) => said.push(what) };
  const voice = new CountSpeaker(
    () => settings,
    speech,
    (text) => ({ text }),
  );
  const clock = new FakeClock();
  const playback = new Playback({ clock, show: (model) => voice.shown(model) });
  const { first, steps } = match(name);
  playback.reset(first);
  for (const { events, view } of steps) {
    playback.push(events.flat(), view);
    clock.pass(120_000);
  }
  return { said, events: steps.flatMap(({ events }) => events.flat()) };
}

test("counts are spoken only if the player has turned the voice on", () => {
  assert.equal(DEFAULTS.voice, false);
  assert.deepEqual(saidOf("two-games", DEFAULTS).said, []);
  assert.deepEqual(saidOf("two-games", { ...DEFAULTS, voice: true, sound: false }).said, []);
  assert.deepEqual(saidOf("two-games", { ...DEFAULTS, voice: true, volume: 0 }).said, []);
});

test("each card's count and each line of the show are spoken at the chosen volume", () => {
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
