/* Whether a page has been hidden for long: its player is elsewhere, and browsers slow its timers down, at
   last to one a minute. */

/** @import { Timer, Timers } from "./timers.js" */

const LONG_MS = 30_000;

export class LongHidden {
  /**
   * @param {() => void} onLong - called when the page has been hidden for long
   * @param {Document} [page]
   * @param {Timers} [clock]
   */
  constructor(onLong, page = document, clock = globalThis) {
    this.onLong = onLong;
    this.page = page;
    this.clock = clock;
    this.now = false;
    /** @type {Timer} */
    this.timer = undefined;
    page.addEventListener("visibilitychange", () => this.look());
    this.look();
  }

  look() {
    if (this.timer !== undefined) this.clock.clearTimeout(this.timer);
    this.timer = undefined;
    this.now = false;
    if (!this.page.hidden) return;
    this.timer = this.clock.setTimeout(() => {
      this.now = true;
      this.onLong();
    }, LONG_MS);
  }
}
