/* The seconds that a seat has left: a ring that runs down, and the number in it. Nothing of it is
   read aloud by itself; the controller says it once, when the time gets short. */

import { html } from "../vendor/preact/preact.js";
import { running, SHORT } from "./clock.js";
import { ngettext } from "./texts.js";

export function Ring({ seat, state }) {
  if (!running(state).includes(seat)) return null;
  const { left, clock } = state;
  const gone = 100 * (1 - Math.min(1, left / clock.limit));
  const text = ngettext("%(n)s second left", "%(n)s seconds left", left);
  return html`<span class=${`ring ${left <= SHORT ? "short" : ""}`} role="timer" aria-live="off"
    aria-label=${text} title=${text}>
    <svg viewBox="0 0 36 36" aria-hidden="true">
      <circle class="ring-track" cx="18" cy="18" r="15.5" pathLength="100" />
      <circle class="ring-left" cx="18" cy="18" r="15.5" pathLength="100"
        stroke-dasharray="100" stroke-dashoffset=${gone} />
    </svg><b aria-hidden="true">${left}</b></span>`;
}
