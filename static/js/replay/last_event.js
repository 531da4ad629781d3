/* The last event, in the words of the live table. */

import { spoken } from "../text/event_sentences.js";

/** @import { Model, Named } from "../table/types.js" */

/**
 * The last event up to here as a sentence; "" at the very start.
 * @param {{ model: Model | null } & Named} state
 */
export function happened(state) {
  const log = state.model?.log ?? [];
  for (let at = log.length - 1; at >= 0; at -= 1) {
    const said = spoken(state, log[at].event);
    if (said) return said;
  }
  return "";
}
