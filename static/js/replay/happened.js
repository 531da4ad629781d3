/* What has just happened, as the live table would have said it. */

import { spoken } from "../sentences.js";

/** The last thing that happened up to here, as a sentence; "" at the very start. */
export function happened(state) {
  const said = state.model.log.map((entry) => spoken(state, entry.event));
  return said.findLast(Boolean) ?? "";
}
