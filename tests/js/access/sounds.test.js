import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { Sounds } from "../../../static/js/access/sounds.js";

const param = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };

/** A stand-in for the browser's context, which keeps its calls and its sources. */
class Context {
  currentTime = 0;
  sampleRate = 8;
  calls = [];
  sources = [];

  node() {
    return { frequency: {}, gain: param, connect: (next) => next, stop() {} };
  }

  source() {
    const source = { ...this.node(), start: () => this.calls.push("start") };
    this.sources.push(source);
    return source;
  }

  createOscillator = () => this.source();
  createBufferSource = () => this.source();
  createBiquadFilter = () => this.node();
  createGain = () => this.node();
  createBuffer = (_, length) => ({ getChannelData: () => new Float32Array(length) });
  suspend = () => this.calls.push("suspend");
  resume = () => {
    this.calls.push("resume");
    return Context.allows ? Promise.resolve() : Promise.reject(new Error("no gesture"));
  };
  static allows = true;
}

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

function silent() {
  globalThis.AudioContext = Context;
  const sounds = new Sounds(() => ({ sound: true, volume: 1 }));
  const page = new EventTarget();
  sounds.listen(page);
  return { sounds, page };
}

/** Gesture, and the browser's answer. */
async function act(page, gesture) {
  page.dispatchEvent(new Event(gesture));
  await new Promise(setImmediate);
}

async function unlocked() {
  const { sounds, page } = silent();
  await act(page, "mousedown");
  const { audio } = sounds;
  audio.calls.length = 0;
  return { sounds, audio };
}

const wait = () => mock.timers.tick(60_000);

test("a context runs from the end of a touch, and plays nothing that came before", async () => {
  const { sounds, page } = silent();
  sounds.play("turn");
  await act(page, "pointerdown");
  assert.equal(sounds.audio, null);
  await act(page, "touchend");
  const { audio } = sounds;
  assert.deepEqual(audio.calls, ["resume"]);
  await act(page, "keydown");
  sounds.play("card");
  assert.deepEqual(audio.calls, ["resume", "resume", "start"]);
});

test("a gesture that the browser does not take for one is followed by another try", async () => {
  const { sounds, page } = silent();
  Context.allows = false;
  await act(page, "touchend");
  sounds.play("turn");
  Context.allows = true;
  await act(page, "touchend");
  assert.deepEqual(sounds.audio.calls, ["resume", "resume"], "what was to be heard is not now");
  sounds.play("card");
  assert.equal(sounds.audio.calls.at(-1), "start");
});

test("a context without a sound is suspended", async () => {
  const { audio } = await unlocked();
  wait();
  assert.deepEqual(audio.calls, ["suspend"]);
});

test("the context is resumed before each sound and suspended once the last has ended", async () => {
  const { sounds, audio } = await unlocked();
  sounds.play("peg");
  wait();
  const [tone, noise] = audio.sources;
  tone.onended();
  wait();
  assert.deepEqual(audio.calls, ["resume", "start", "start"]);
  noise.onended();
  wait();
  assert.equal(audio.calls.at(-1), "suspend");
  sounds.play("card");
  wait();
  assert.deepEqual(audio.calls.slice(-3), ["suspend", "resume", "start"]);
});

test("a sound that follows closely is not cut off", async () => {
  const { sounds, audio } = await unlocked();
  sounds.play("card");
  audio.sources[0].onended();
  sounds.play("go");
  wait();
  assert.ok(!audio.calls.includes("suspend"));
  audio.sources[1].onended();
  wait();
  assert.equal(audio.calls.at(-1), "suspend");
});

test("one sound of a kind is enough for what happens at once", async () => {
  const { sounds, audio } = await unlocked();
  for (const _ of [1, 2, 3]) sounds.play("card");
  assert.equal(audio.sources.length, 1);
  audio.currentTime += 0.2;
  sounds.play("card");
  assert.equal(audio.sources.length, 2);
});
