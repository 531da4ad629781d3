/* Real matches as written by the engine and the serializers, and a fake clock. */

import { readFileSync } from "node:fs";

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
