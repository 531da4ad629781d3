/* Counts the turn clock down in the table's state, and warns the player once when time is short. */

import { ngettext } from "../text/translations.js";
import { running, ServerTime, short } from "./turn_clock.js";

/** @import { Announcer } from "../access/announcer.js" */
/** @import { Sounds } from "../access/sounds.js" */
/** @import * as Wire from "../net/messages.js" */
/** @import { Store } from "../ui/store.js" */
/** @import { TableState } from "./types.js" */

const TICK = 200; // milliseconds between two updates

export class ClockCountdown {
  /**
   * @param {object} parts
   * @param {Store<TableState>} parts.store
   * @param {Announcer} parts.announcer
   * @param {Sounds} parts.sounds
   */
  constructor({ store, announcer, sounds }) {
    this.store = store;
    this.announcer = announcer;
    this.sounds = sounds;
    this.time = new ServerTime();
    this.warned = -1; // the version at which the player was warned that time is short
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.ticking = undefined;
  }

  /** Reset the estimate of the server's clock: the connection was lost. */
  forget() {
    this.time.forget();
  }

  /**
   * @param {Wire.Clock} data
   * @param {number} [at]
   */
  update(data, at = performance.now()) {
    this.time.update(data.now, at / 1000);
    clearInterval(this.ticking);
    this.store.set({ clock: data });
    this.tick();
    this.ticking = setInterval(() => this.tick(), TICK);
  }

  /** Show the seconds left, and warn the player once when few remain. */
  tick() {
    const state = this.store.get();
    const { clock, view } = state;
    if (!clock || (view && clock.v < view.v)) clearInterval(this.ticking);
    if (!clock || !running(state).length) return;
    const left = Math.ceil(this.time.until(clock.until));
    this.store.set({ left });
    if (!short({ ...state, left }) || this.warned === clock.v) return;
    this.warned = clock.v;
    this.announcer.insist(ngettext("%(n)s second left", "%(n)s seconds left", left));
    this.sounds.play("short");
  }
}
