/* The time that a seat has left: a shrinking ring with the number in it. It is not announced; the
   controller announces the time once, when it gets short. */

import { html } from "../../vendor/preact/preact.js";
import { ngettext } from "../text/translations.js";
import { clockText, LONG, running, SHORT } from "./turn_clock.js";

/** @import { Shown } from "./types.js" */
/** @import { Seat } from "../net/messages.js" */

/** @param {{ seat: Seat, state: Shown }} props */
export function TurnTimer({ seat, state }) {
  const { left, clock } = state;
  if (!clock || !running(state).includes(seat)) return null;
  const gone = 100 * (1 - Math.min(1, left / clock.limit));
  const text = ngettext("%(n)s second left", "%(n)s seconds left", left);
  return html`<span class=${`ring ${left <= SHORT ? "short" : ""}`} role="timer" aria-live="off"
    aria-label=${text} title=${text}>
    <svg viewBox="0 0 36 36" aria-hidden="true">
      <circle class="ring-track" cx="18" cy="18" r="15.5" pathLength="100" />
      <circle class="ring-left" cx="18" cy="18" r="15.5" pathLength="100"
        stroke-dasharray="100" stroke-dashoffset=${gone} />
    </svg><b aria-hidden="true" class=${left >= LONG ? "long" : ""}>${clockText(left)}</b></span>`;
}
