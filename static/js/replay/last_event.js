/* The last event, in the words of the live table. */

import { cardSign } from "../text/card_names.js";
import { countSentence } from "../text/count_phrases.js";
import { capital, labelled, points, spoken } from "../text/event_sentences.js";
import { nameWithin, seatName } from "../text/seat_names.js";
import { gettext } from "../text/translations.js";

/** @import { CountedEvent, GameEvent } from "../net/messages.js" */
/** @import { Model, Named } from "../table/types.js" */

/** @typedef {{ model: Model | null } & Named} Shown */

/**
 * The last event up to here as a sentence; "" at the very start.
 * @param {Shown} state
 */
export function happened(state) {
  return lastSaid(state, (event) => spoken(state, event));
}

/**
 * The same beside the number of the hand, which a deal then need not repeat.
 * @param {Shown} state
 */
export function happenedInHand(state) {
  return lastSaid(state, (event) => saidInHand(state, event));
}

/**
 * The same where there is little room and the end is left out: a count begins with its points.
 * @param {Shown} state
 */
export function happenedInShort(state) {
  return lastSaid(state, (event) =>
    event.e === "counted" ? countInShort(state, event) : saidInHand(state, event),
  );
}

/**
 * @param {Shown} state
 * @param {GameEvent} event
 */
function saidInHand(state, event) {
  return event.e === "dealt"
    ? gettext("Dealer: %(name)s.", { name: nameWithin(state, event.dealer) })
    : spoken(state, event);
}

/**
 * @param {Shown} state
 * @param {CountedEvent} event
 */
function countInShort(state, event) {
  const what = event.item === "crib" ? gettext("crib") : gettext("hand");
  const words = event.parts.length ? ` ${capital(countSentence(event.parts))}.` : "";
  const cards = event.cards.map(cardSign).join(" ");
  const shown = labelled(`${seatName(state, event.seat)}, ${what}`, points(event.points));
  return `${shown}. ${cards}.${words}`;
}

/**
 * @param {Shown} state
 * @param {(event: GameEvent) => string} say
 */
function lastSaid(state, say) {
  const log = state.model?.log ?? [];
  for (let at = log.length - 1; at >= 0; at -= 1) {
    const said = say(log[at].event);
    if (said) return said;
  }
  return "";
}
