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
  resume = () => this.calls.push("resume");
}

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

function unlocked() {
  globalThis.AudioContext = Context;
  const sounds = new Sounds(() => ({ sound: true, volume: 1 }));
  sounds.unlock();
  return { sounds, audio: sounds.audio };
}

const wait = () => mock.timers.tick(60_000);

test("a context without a sound is suspended", () => {
  const { audio } = unlocked();
  wait();
  assert.deepEqual(audio.calls, ["suspend"]);
});

test("the context is resumed before each sound and suspended once the last has ended", () => {
  const { sounds, audio } = unlocked();
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

test("a sound that follows closely is not cut off", () => {
  const { sounds, audio } = unlocked();
  sounds.play("card");
  audio.sources[0].onended();
  sounds.play("go");
  wait();
  assert.ok(!audio.calls.includes("suspend"));
  audio.sources[1].onended();
  wait();
  assert.equal(audio.calls.at(-1), "suspend");
});
