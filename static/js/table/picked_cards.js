/* The picked cards and the hint that a new view leaves in place. Pure. */

import { fits } from "./hint.js";

/** @import { TableState } from "./types.js" */
/** @import { View } from "../net/messages.js" */

/**
 * Return the changes of the state for the view `next`. Picked cards and a hint belong to one required
 * action: they stay while it does in the same hand, as far as they are still legal.
 * @param {Pick<TableState, "chosen" | "hint" | "view">} state
 * @param {View} next
 * @returns {Pick<TableState, "chosen" | "claimPoints" | "calling" | "hint">}
 */
export function picksKept({ chosen, hint, view: before }, next) {
  // The next deal may contain the card that was played last, which is then not picked.
  const same = before?.game === next.game && before.hand === next.hand;
  const asked = same && before.legal.action === next.legal.action;
  const kept = asked ? chosen.filter((card) => next.legal.cards.includes(card)) : [];
  const stillGood = asked && hint && fits(hint, next) ? hint : null;
  return { chosen: kept, claimPoints: null, calling: false, hint: stillGood };
}
