/* Names of seats in sentences and titles. Pure. */

import { gettext, pgettext } from "./translations.js";

/** @import { AnyItem, Seat } from "../net/messages.js" */
/** @import { Named } from "../table/types.js" */

/**
 * @param {Named} state
 * @param {Seat} seat
 */
export function seatName(state, seat) {
  if (seat === state.view?.seat) return gettext("You");
  return plainName(state, seat);
}

/**
 * The name of a seat within a sentence.
 * @param {Named} state
 * @param {Seat} seat
 */
export function nameWithin(state, seat) {
  if (seat === state.view?.seat) return gettext("you");
  return plainName(state, seat);
}

/**
 * @param {Named} state
 * @param {Seat} seat
 */
export function plainName(state, seat) {
  const player = state.table?.seats[seat];
  if (player?.kind === "deleted") return gettext("Deleted player");
  return player?.name ?? gettext("Seat %(n)s", { n: seat + 1 });
}

/**
 * Whether a player has lost this seat for good: the game is lost, whatever the computer makes of it.
 * @param {Named} state
 * @param {Seat} seat
 */
export function leftBy(state, seat) {
  return Boolean(state.table?.seats[seat]?.left);
}

/**
 * The dealer's crib, for the middle of a sentence: "your crib", "Ann's crib".
 * @param {Named} state
 * @param {Seat | null} dealer
 */
export function cribOf(state, dealer) {
  if (dealer === state.view?.seat) return gettext("your crib");
  return pgettext("in a sentence", "%(name)s's crib", { name: plainName(state, dealer ?? 0) });
}

/**
 * The title of a hand or crib: "Your hand", "Ann's crib".
 * @param {Named} state
 * @param {Seat} seat
 * @param {AnyItem} item
 */
export function itemTitle(state, seat, item) {
  const own = seat === state.view?.seat;
  if (item === "crib") {
    return own
      ? gettext("Your crib")
      : gettext("%(name)s's crib", { name: plainName(state, seat) });
  }
  return own ? gettext("Your hand") : gettext("%(name)s's hand", { name: plainName(state, seat) });
}

/**
 * @param {Named} state
 * @param {Seat[]} seats
 */
export function nameList(state, seats) {
  return seats.map((seat) => plainName(state, seat)).join(gettext(" and "));
}
