/* Real matches as written by the engine and the serializers, a fake clock, a fake socket and fake
   frames. */

import { readFileSync } from "node:fs";
import { afterEach, beforeEach } from "node:test";

/** { first: whole view, steps: [{from, v, events, view}], last: whole view } */
export function match(name) {
  return JSON.parse(readFileSync(new URL(`matches/${name}.json`, import.meta.url), "utf8"));
}

/** A fake for setTimeout and clearTimeout: time passes only when `pass` is called. */
export class FakeClock {
  constructor() {
    this.now = 0;
    this.timers = new Map();
    this.next = 1;
  }

  setTimeout(work, wait) {
    const id = this.next++;
    this.timers.set(id, { at: this.now + wait, work });
    return id;
  }

  clearTimeout(id) {
    this.timers.delete(id);
  }

  pass(milliseconds) {
    const end = this.now + milliseconds;
    for (;;) {
      const due = [...this.timers].filter(([, timer]) => timer.at <= end);
      if (!due.length) break;
      due.sort(([, a], [, b]) => a.at - b.at);
      const [id, timer] = due[0];
      this.timers.delete(id);
      this.now = timer.at;
      timer.work();
    }
    this.now = end;
  }
}

/** A fake WebSocket: the test opens it, lets it hear messages and breaks it. */
export class FakeLine {
  constructor() {
    this.readyState = 0;
    this.sent = [];
  }

  send(frame) {
    this.sent.push(JSON.parse(frame));
  }

  close() {
    this.readyState = 3;
  }

  open() {
    this.readyState = 1;
    this.onopen();
  }

  hear(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }

  fail(code = 1006) {
    this.readyState = 3;
    this.onclose({ code });
  }

  types() {
    return this.sent.map((frame) => frame.t);
  }
}

/**
 * Replace a page's visibility and its frames for each test of a file; the frames that were asked for are
 * in the array, and the test runs them.
 * @returns {(() => void)[]}
 */
export function fakeFrames() {
  const frames = [];
  beforeEach(() => {
    frames.length = 0;
    globalThis.document = Object.assign(new EventTarget(), { hidden: false });
    globalThis.requestAnimationFrame = (work) => frames.push(work);
  });
  afterEach(() => {
    delete globalThis.document;
    delete globalThis.requestAnimationFrame;
  });
  return frames;
}
