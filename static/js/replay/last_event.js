/* The last event, in the words of the live table. */

import { spoken } from "../text/event_sentences.js";
import { seatName } from "../text/seat_names.js";
import { gettext } from "../text/translations.js";

/** @import { GameEvent } from "../net/messages.js" */
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
  return lastSaid(state, (event) =>
    event.e === "dealt"
      ? gettext("Dealer: %(name)s.", { name: seatName(state, event.dealer) })
      : spoken(state, event),
  );
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
