/* The picked cards and the hint that a new view leaves in place. Pure. */

import { fits } from "./hint.js";
import { decisionOf } from "./required_action.js";

/** @import { TableState } from "./types.js" */
/** @import { View } from "../net/messages.js" */
/** @typedef {Pick<TableState, "chosen" | "claimPoints" | "calling" | "callPoints" | "hint">} Picks */

/**
 * Return the changes of the state for the view `next`. Picked cards and a hint belong to one required
 * action: they stay while it does in the same hand, as far as they are still legal. Chosen points and
 * the grid for a call stay while the same decision or the same claim is open.
 * @param {Picks & Pick<TableState, "view">} state
 * @param {View} next
 * @returns {Picks}
 */
export function picksKept({ chosen, claimPoints, calling, callPoints, hint, view: before }, next) {
  // The next deal may contain the card that was played last, which is then not picked.
  const same = before?.game === next.game && before.hand === next.hand;
  const asked = same && before.legal.action === next.legal.action;
  const kept = asked ? chosen.filter((card) => next.legal.cards.includes(card)) : [];
  const stillGood = asked && hint && fits(hint, next) ? hint : null;
  const decides = before && decisionOf(before) === decisionOf(next);
  const callable = before && next.legal.muggins && claimOf(before) === claimOf(next);
  return {
    chosen: kept,
    claimPoints: decides ? claimPoints : null,
    calling: callable ? calling : false,
    callPoints: callable ? callPoints : null,
    hint: stillGood,
  };
}

/**
 * The claim that is open to calls: the others' answers don't change it.
 * @param {View} view
 */
function claimOf({ game, hand, claim, hand_sizes: sizes }) {
  return JSON.stringify([game, hand, claim?.seat, claim?.item, sizes]);
}
