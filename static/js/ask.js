/* The one thing that is asked of the player now, from what the server says is legal. Pure. */

import { gettext, ngettext, pgettext } from "./texts.js";

export function seatName(state, seat) {
  if (seat === state.view?.seat) return gettext("You");
  return plainName(state, seat);
}

export function plainName(state, seat) {
  return state.table?.seats[seat]?.name ?? gettext("Seat %(n)s", { n: seat + 1 });
}

/** Whose crib, as it stands in the middle of a sentence: "your crib", "Ann's crib". */
export function cribOf(state, dealer) {
  if (dealer === state.view?.seat) return gettext("your crib");
  return pgettext("in a sentence", "%(name)s's crib", { name: plainName(state, dealer) });
}

/** Whose hand or crib, as a title. */
export function itemTitle(state, seat, item) {
  const own = seat === state.view?.seat;
  if (item === "crib") {
    return own
      ? gettext("Your crib")
      : gettext("%(name)s's crib", { name: plainName(state, seat) });
  }
  return own ? gettext("Your hand") : gettext("%(name)s's hand", { name: plainName(state, seat) });
}

export function nameList(state, seats) {
  return seats.map((seat) => plainName(state, seat)).join(gettext(" and "));
}

/**
 * What is asked: `kind` is one of waiting, return, continue, discard, play, claim, answer, wait, watch,
 * over; `title` says it; `own` tells whether this player must act.
 */
export function ask(state) {
  const { table, view, model } = state;
  if (!view || !table || !model)
    return { kind: "wait", title: gettext("Sitting down…"), own: false };
  if (table.status === "waiting") {
    return { kind: "waiting", title: gettext("Waiting for players"), own: false };
  }
  if (view.seat !== null && table.seats[view.seat]?.stand_in && table.status === "playing") {
    return { kind: "return", title: gettext("The computer plays in your place"), own: false };
  }
  if (state.blocking) return { kind: "continue", title: playbackTitle(state), own: false };
  if (table.status === "abandoned" && !model.over) {
    return { kind: "over", title: gettext("This match was abandoned"), own: false };
  }
  const action = view.legal.action;
  if (action === "over") return { kind: "over", title: gettext("The match is over"), own: false };
  if (view.seat === null) return { kind: "watch", title: waitingTitle(state), own: false };
  // The last cards of the play are still to be seen; then those that are to be counted.
  if (action === "claim" && state.busy) {
    return { kind: "wait", title: playbackTitle(state), own: false };
  }
  const title = TITLES[action];
  if (!title) return { kind: "wait", title: waitingTitle(state), own: false };
  return { kind: action, title: title(state), own: true };
}

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
    return gettext("Did %(name)s miss anything?", { name: plainName(state, claim.seat) });
  },
};

function playbackTitle(state) {
  const { model } = state;
  if (state.coached) return gettext("Your coach");
  if (model.won) return gettext("Game over");
  if (model.phase === "cut") return gettext("Cut for the deal");
  if (model.show) return gettext("The show");
  if (state.view.legal.action === "over") return gettext("The last points");
  return model.plays.length ? gettext("All cards are played") : gettext("The deal");
}

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

/** What the card would make of the count: the server's count plus what the face says. */
export function countAfter(count, card) {
  return count + ({ A: 1, T: 10, J: 10, Q: 10, K: 10 }[card[0]] ?? Number(card[0]));
}
