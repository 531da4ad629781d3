/* The turn clock. The server sends the deadline by its own clock; it is counted down here by a monotonic
   clock, so that a device with a wrong clock shows the same. Pure. */

/** @import { TableState } from "./types.js" */
/** @import { Seat } from "../net/messages.js" */

export const SHORT = 10; // seconds; at this point the player is warned
export const LONG = 100; // seconds; from here on they are shown as minutes and seconds

/** An estimate of the server's clock from its messages, in seconds. */
export class ServerTime {
  /** @param {() => number} [steady] */
  constructor(steady = () => performance.now() / 1000) {
    this.steady = steady;
    /** @type {number | null} */
    this.ahead = null;
  }

  /**
   * Update from a message that was made at `now` and heard at `heard`, by the monotonic clock. The
   * fastest message is the most exact.
   * @param {number} now
   * @param {number} [heard]
   */
  update(now, heard = this.steady()) {
    const ahead = now - heard;
    this.ahead = this.ahead === null ? ahead : Math.max(this.ahead, ahead);
  }

  /** Reset, since another server may have another clock, and sleep stops the monotonic clock. */
  forget() {
    this.ahead = null;
  }

  /**
   * Seconds until a time of the server's clock; never below 0.
   * @param {number} moment
   */
  until(moment) {
    return Math.max(0, moment - (this.steady() + (this.ahead ?? 0)));
  }
}

/**
 * The seats whose time runs now, if the clock belongs to this version of the match.
 * @param {Pick<TableState, "clock" | "view" | "table">} props
 * @returns {Seat[]}
 */
export function running({ clock, view, table }) {
  if (!clock || table?.status !== "playing" || clock.v !== view?.v) return [];
  return clock.seats.filter((seat) => view.waiting.includes(seat));
}

/**
 * The time left as a clock shows it: "7:45", or the seconds alone.
 * @param {number} left - whole seconds
 */
export function clockText(left) {
  if (left < LONG) return String(left);
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}

/**
 * Whether this player's time is short.
 * @param {Pick<TableState, "clock" | "view" | "table" | "left">} state
 */
export function short(state) {
  return running(state).includes(state.view?.seat ?? -1) && state.left <= SHORT;
}
