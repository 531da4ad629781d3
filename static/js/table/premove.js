/* Premoves: a card picked before the player's turn. It is sent when the turn comes, if it is legal
   then, and forgotten if not. Pure. */

/** @import { Card, View } from "../net/messages.js" */
/** @typedef {Pick<TableState, "view" | "settings" | "ruleset" | "sending"> & { replay?: boolean }} PremoveState */
/** @import { TableState } from "./types.js" */

/**
 * Whether `card` may be picked ahead now: in the play, from the hand, without claims.
 * @param {PremoveState} state
 * @param {Card} card
 */
export function mayPickAhead(state, card) {
  const { view, settings, ruleset, sending, replay } = state;
  if (replay || !settings.premove || !view || view.seat === null || sending) return false;
  if (view.phase !== "play" || view.legal.action === "play") return false;
  return ruleset?.counting !== "manual" && view.cards.includes(card);
}

/**
 * What to do with the card picked ahead when `view` comes after `before`: "play", "keep" or "drop".
 * Whether it fits the count matters only at the player's turn, since the count may restart before.
 * @param {Card} card
 * @param {View | null} before
 * @param {View} view
 * @returns {"play" | "keep" | "drop"}
 */
export function fateOf(card, before, view) {
  if (before?.game !== view.game || before.hand !== view.hand) return "drop";
  if (view.phase !== "play" || !view.cards.includes(card)) return "drop";
  if (view.legal.action !== "play") return "keep";
  return view.legal.cards.includes(card) && !view.legal.claims ? "play" : "drop";
}
