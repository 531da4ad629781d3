/* What has just happened, as the live table would have said it. */

import { spoken } from "../sentences.js";

/** The last thing that happened up to here, as a sentence; "" at the very start. */
export function happened(state) {
  const { log } = state.model;
  for (let at = log.length - 1; at >= 0; at -= 1) {
    const said = spoken(state, log[at].event);
    if (said) return said;
  }
  return "";
}
