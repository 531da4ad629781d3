/* The action that the player is asked for now, from the server's legal moves. Pure. */

import { cribOf, nameList, plainName } from "../text/seat_names.js";
import { gettext, ngettext } from "../text/translations.js";

/** @import { Asked, Model, TableState } from "./types.js" */
/** @typedef {TableState & { view: View, model: Model }} Ready */
/** @import { Action, Card, View } from "../net/messages.js" */

/**
 * The required action: its kind, its title, and whether this player must act (`own`).
 * @param {TableState} state
 * @returns {Asked}
 */
export function requiredAction(state) {
  const { table, view, model } = state;
  if (!view || !table || !model) {
    return { kind: "wait", title: gettext("Joining…"), own: false };
  }
  const ready = { ...state, view, model };
  if (table.status === "waiting") {
    return { kind: "waiting", title: gettext("Waiting for players"), own: false };
  }
  const seat = table.seats[view.seat ?? -1];
  if (seat?.left && table.status === "playing" && !model.over) {
    return {
      kind: state.blocking ? "continue" : "left",
      title: lostSeat(seat.left, model.players),
      own: false,
    };
  }
  if (seat?.stand_in && !seat.left && table.status === "playing") {
    return { kind: "return", title: gettext("The computer is playing for you"), own: false };
  }
  if (state.blocking) return { kind: "continue", title: playbackTitle(ready), own: false };
  if (table.status === "abandoned" && !model.over) {
    const title = view.v ? gettext("This match was abandoned") : gettext("This table was closed");
    return { kind: "over", title, own: false };
  }
  const action = view.legal.action;
  if (action === "over") return { kind: "over", title: gettext("The match is over"), own: false };
  if (view.seat === null) return { kind: "watch", title: waitingTitle(ready), own: false };
  // The last cards of the play must be shown before the hand to be counted.
  if (action === "claim" && state.busy) {
    return { kind: "wait", title: playbackTitle(ready), own: false };
  }
  // Nor is it this player's turn before the card that made it so is on the table.
  if (action === "play" && state.coming) {
    return { kind: "wait", title: comingTitle(ready), own: false };
  }
  const title = TITLES[action];
  if (!title) return { kind: "wait", title: waitingTitle(ready), own: false };
  return { kind: action, title: title(ready), own: true };
}

/**
 * Whether points may be missing from the open claim: computers count all of theirs. A program may count
 * wrongly, and a player for whom a computer substitutes may have claimed before.
 * @param {Pick<TableState, "table" | "view">} state
 */
export function mayHaveMissed({ table, view }) {
  const claimant = table?.seats[view?.claim?.seat ?? -1];
  return claimant?.kind !== "computer" || Boolean(claimant.owner ?? claimant.stand_in);
}

/**
 * The decision that this player is asked for: others' discards, passes and calls don't change it.
 * @param {View} view
 */
export function decisionOf({ game, hand, legal, hand_sizes: sizes, counting, claim }) {
  /** @type {Partial<Record<Action, unknown>>} */
  const about = {
    play: sizes,
    claim: [counting?.seat, counting?.item],
    answer: [claim?.seat, claim?.item],
  };
  return JSON.stringify([game, hand, legal.action, about[legal.action]]);
}

/**
 * What it costs to have lost the seat for good.
 * @param {"left" | "timed_out"} how
 * @param {number} players - at the table; with two seats one resigns, with three one leaves
 */
export function lostSeat(how, players) {
  if (how === "timed_out") {
    return gettext("Time ran out: this game counts as lost. The computer plays it to the end.");
  }
  return players === 2
    ? gettext("You resigned: this game counts as lost. The computer plays it to the end.")
    : gettext("You left: this game counts as lost. The computer plays it to the end.");
}

/**
 * What a player who has lost the seat for good may still see.
 * @param {Pick<TableState, "watchable">} state
 */
export function afterLostSeat({ watchable }) {
  return watchable
    ? gettext("The result appears here.")
    : gettext(
        "Others may still play these cards, so you don't see them any more. The result appears here.",
      );
}

/** @type {Partial<Record<Action, (state: Ready) => string>>} */
const TITLES = {
  discard(state) {
    const { legal, dealer } = state.view;
    return ngettext(
      "Choose %(n)s card for %(crib)s",
      "Choose %(n)s cards for %(crib)s",
      legal.number,
      { crib: cribOf(state, dealer) },
    );
  },
  play(state) {
    if (state.view.count === 0) return gettext("Your lead: play a card");
    return gettext("Your turn: play a card");
  },
  claim(state) {
    const counting = state.view.counting;
    if (counting?.item === "crib") return gettext("Count your crib");
    return gettext("Count your hand");
  },
  answer(state) {
    const { claim } = state.view;
    if (!mayHaveMissed(state)) return gettext("The show");
    return gettext("Did %(name)s miss anything?", { name: plainName(state, claim?.seat ?? 0) });
  },
};

/** @param {Ready} state */
function playbackTitle(state) {
  const { model } = state;
  if (state.coached) return gettext("Your coach");
  if (model.won) return gettext("Game over");
  if (model.phase === "cut") return gettext("Cut for the deal");
  if (model.show) return gettext("The show");
  if (state.view.legal.action === "over" && !state.coming) return gettext("Final points");
  if (!model.plays.length) return gettext("The deal");
  return model.sizes.some(Boolean) ? gettext("The play") : gettext("All cards played");
}

/** @param {Ready} state */
function comingTitle(state) {
  const { coming, view } = state;
  if (coming?.e !== "played" || coming.seat === view.seat) return playbackTitle(state);
  return gettext("Waiting for %(names)s to play", { names: nameList(state, [coming.seat]) });
}

/** @param {Ready} state */
function waitingTitle(state) {
  const { view } = state;
  const others = view.waiting.filter((seat) => seat !== view.seat);
  if (!others.length) return gettext("One moment…");
  const names = nameList(state, others);
  if (view.phase === "discard") return gettext("Waiting for %(names)s to discard", { names });
  if (view.phase === "show" && view.claim && view.claim.item !== "play") {
    return gettext("Waiting for %(names)s to answer", { names });
  }
  if (view.phase === "show") return gettext("Waiting for %(names)s to count", { names });
  return gettext("Waiting for %(names)s to play", { names });
}

/**
 * The count after a card: the server's count plus the card's value.
 * @param {number} count
 * @param {Card} card
 */
export function countAfter(count, card) {
  return count + ({ A: 1, T: 10, J: 10, Q: 10, K: 10 }[card[0]] ?? Number(card[0]));
}
