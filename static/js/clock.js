/* The time for a decision. The server says when it is up by its own clock; here it is counted down by
   one that nobody sets, so that a wrong clock of this device changes nothing. Pure. */

export const SHORT = 10; // seconds: from here on the time is told with a tone and in words

/** What the server's clock shows, as far as its messages tell; all in seconds. */
export class ServerTime {
  constructor(steady = () => performance.now() / 1000) {
    this.steady = steady;
    this.ahead = null;
  }

  /** A message that was made at `now` has come in. The one that was fastest on its way is right. */
  heard(now) {
    const ahead = now - this.steady();
    this.ahead = this.ahead === null ? ahead : Math.max(this.ahead, ahead);
  }

  /** Another server may have another clock, and a device that slept has lost count. */
  forget() {
    this.ahead = null;
  }

  /** Seconds until a moment of the server's; never below 0. */
  until(moment) {
    return Math.max(0, moment - (this.steady() + (this.ahead ?? 0)));
  }
}

/** The seats whose time runs now: the clock that came with this very version of the match. */
export function running({ clock, view, table }) {
  if (!clock || table?.status !== "playing" || clock.v !== view?.v) return [];
  return clock.seats.filter((seat) => view.waiting.includes(seat));
}

/** Whether the player himself must hurry. */
export function short(state) {
  return running(state).includes(state.view?.seat) && state.left <= SHORT;
}
