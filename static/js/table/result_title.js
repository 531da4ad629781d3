/* The title of a result: who won, or how a seat was lost. Pure. */

import { plainName } from "../text/seat_names.js";
import { gettext } from "../text/translations.js";

/** @import { Seat } from "../net/messages.js" */
/** @import { Shown } from "./types.js" */
/** @typedef {Pick<Shown, "model" | "view" | "table" | "ruleset"> & Partial<Pick<Shown, "days">>} Ended */

/**
 * Who lost a game of two by losing their seat for good; null if nobody did.
 * @param {Ended} state
 */
function leaver({ model, table }) {
  if (!model.over || model.players !== 2) return null;
  return table?.seats.find((seat) => seat.left) ?? null;
}

/**
 * Whether this player won the game. A player who left has lost, whatever the computer did in their seat.
 * @param {Ended} state
 */
export function hasWon(state) {
  return state.view.seat !== null && winnerOf(state) === state.view.seat;
}

/** @param {Ended} state */
export function resultTitle(state) {
  const { model, view, table } = state;
  const own = model.over && table?.seats[view.seat ?? -1]?.left;
  if (own === "timed_out") return gettext("You lost on time");
  if (own === "left") return gettext("You left and lost");
  const gone = leaver(state);
  if (gone && view.seat !== null) {
    const name = plainName(state, gone.seat);
    return gone.left === "timed_out"
      ? gettext("You won: %(name)s ran out of time", { name })
      : gettext("You won: %(name)s left", { name });
  }
  if (view.resigned !== null && model.over && table?.claimed) return claimedTitle(state);
  if (view.resigned !== null && model.over) {
    if (view.resigned === view.seat) return gettext("You resigned");
    const name = plainName(state, view.resigned);
    if (view.seat !== null) return gettext("You won: %(name)s resigned", { name });
    return gettext("%(name)s resigned", { name });
  }
  return winnerTitle(state);
}

/**
 * The title after a win that was claimed. The loser was away, connected but idle, or late by correspondence.
 * @param {Ended} state
 */
function claimedTitle(state) {
  const { view, days } = state;
  const loser = view.resigned ?? 0;
  const name = plainName(state, loser);
  if (loser === view.seat) {
    return days ? gettext("You lost on time") : gettext("You took too long and lost");
  }
  if (view.seat !== null) {
    return days
      ? gettext("You won: %(name)s ran out of time", { name })
      : gettext("You won: %(name)s took too long", { name });
  }
  return days
    ? gettext("%(name)s ran out of time", { name })
    : gettext("%(name)s took too long", { name });
}

/**
 * The seat that won, as the result counts; null if there is none. A player who left has lost: with two
 * seats the other one has won; with three no seat has if a computer came first in theirs.
 * @param {Ended} state
 * @param {{ winner: Seat | null } | null} [end] - the end of the match, else of the last game
 */
export function winnerOf(state, end = state.model.over ?? state.model.won) {
  const { table } = state;
  const winner = end?.winner ?? null;
  const gone = leaver(state);
  const counted = gone ? 1 - gone.seat : winner;
  return counted === null || table?.seats[counted]?.left ? null : counted;
}

/** @param {Ended} state */
function winnerTitle(state) {
  const { model, view } = state;
  if (((model.over ?? model.won)?.winner ?? null) === null) return gettext("The match is drawn");
  const winner = winnerOf(state);
  if (winner === null) return gettext("The computer finished the game");
  const match = model.over && (state.ruleset?.games ?? 1) > 1;
  if (winner === view.seat) return match ? gettext("You won the match!") : gettext("You won!");
  const name = plainName(state, winner);
  return match ? gettext("%(name)s won the match", { name }) : gettext("%(name)s won", { name });
}
