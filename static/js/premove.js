/* A card picked while it is not one's turn. Nothing of it leaves this page before the server asks;
   then it is played at once where it is legal, and forgotten where it is not. Pure. */

/** Whether `card` may be picked ahead now: in the play, held, and with nothing to claim beside it. */
export function mayPickAhead(state, card) {
  const { view, settings, ruleset, sending, replay } = state;
  if (replay || !settings.premove || !view || view.seat === null || sending) return false;
  if (view.phase !== "play" || view.legal.action === "play") return false;
  return ruleset?.counting !== "manual" && view.cards.includes(card);
}

/**
 * What becomes of the card picked ahead when `view` comes after `before`: "play" it, "keep" it, or
 * "drop" it. Whether it fits the count is asked only when the turn comes: until then the count may
 * begin again.
 */
export function fateOf(card, before, view) {
  if (before?.game !== view.game || before.hand !== view.hand) return "drop";
  if (view.phase !== "play" || !view.cards.includes(card)) return "drop";
  if (view.legal.action !== "play") return "keep";
  return view.legal.cards.includes(card) && !view.legal.claims ? "play" : "drop";
}
