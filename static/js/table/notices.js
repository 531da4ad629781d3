/* Notices: short texts shown at the table for a few seconds. */

/** @import { Notice, TableState } from "./types.js" */
/** @import { Announcer } from "../access/announcer.js" */
/** @import { Store } from "../ui/store.js" */

const SHOWN_MS = 6000;

export class Notices {
  /** @param {{ store: Store<TableState>, announcer: Announcer }} parts */
  constructor({ store, announcer }) {
    this.store = store;
    this.announcer = announcer;
    this.number = 0;
  }

  /**
   * Show a notice and announce it.
   * @param {string} text
   * @param {Notice["kind"]} kind
   * @returns {Notice} for `drop`
   */
  tell(text, kind) {
    const entry = this.show(text, kind);
    if (kind === "bad") this.announcer.insist(text);
    else this.announcer.say(text);
    return entry;
  }

  /**
   * Show a notice without announcing it.
   * @param {string} text
   * @param {Notice["kind"]} kind
   * @returns {Notice} for `drop`
   */
  show(text, kind) {
    this.number += 1;
    const entry = { key: this.number, text, kind };
    // Only the last chat line; the others are in the panel.
    const others = this.store
      .get()
      .notices.filter((other) => other.text !== text && !(kind === "said" && other.kind === kind));
    this.store.set({ notices: [...others.slice(-2), entry] });
    setTimeout(() => this.drop(entry), SHOWN_MS);
    return entry;
  }

  /**
   * Remove a notice: its time is up, or it is no longer true.
   * @param {Notice | null} entry
   */
  drop(entry) {
    const { notices } = this.store.get();
    if (entry && notices.includes(entry)) {
      this.store.set({ notices: notices.filter((other) => other !== entry) });
    }
  }
}
