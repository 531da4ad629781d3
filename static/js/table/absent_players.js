/* The notice about players who are away in the middle of a match: beside the buttons, where it covers
   no cards. */

import { html, useEffect, useState } from "../../vendor/preact/preact.js";
import { plainName } from "../text/seat_names.js";
import { gettext, ngettext } from "../text/translations.js";

/** @import { Actions, Shown } from "./types.js" */
/** @import { AbsentPlayer } from "../net/messages.js" */

/**
 * The players who must act and are away, and the choices of the others.
 * @param {{ state: Shown, act: Actions }} props
 */
export function Absent({ state, act }) {
  const { table, model } = state;
  const absent = (table?.absent ?? []).filter((entry) => entry.seat !== model.me);
  if (!absent.length || model.me === null || table.status !== "playing") return null;
  return html`<div class="absent" role="status">${absent.map(
    (entry) => html`<div key=${entry.seat}>
    <p>${gettext("Waiting for %(name)s to reconnect.", { name: plainName(state, entry.seat) })}
      ${(entry.offer_in ?? 0) > 0 && html`<${Grace} entry=${entry} />`}</p>
    <p class="absent-buttons">
      ${
        entry.can_stand_in &&
        html`<button type="button" class="secondary"
        onClick=${() => act.wish("stand_in", { seat: entry.seat, v: entry.v })}>${gettext("Let the computer play")}</button>`
      }
      ${
        entry.can_claim &&
        html`<button type="button" class="secondary"
        onClick=${() => act.wish("claim_win", { seat: entry.seat, v: entry.v })}>${gettext("Claim the win")}</button>`
      }
      ${(entry.can_stand_in || entry.can_claim) && html`<span>${gettext("or keep waiting")}</span>`}
    </p></div>`,
  )}</div>`;
}

/**
 * The seconds until there is a choice, shown but not announced; the choice itself is announced.
 * @param {{ entry: AbsentPlayer }} props
 */
function Grace({ entry }) {
  const [passed, setPassed] = useState(0);
  useEffect(() => {
    setPassed(0);
    const ticking = setInterval(() => setPassed((seconds) => seconds + 1), 1000);
    return () => clearInterval(ticking);
  }, [entry]);
  const all = Math.max(1, Math.ceil(entry.offer_in ?? 0));
  const left = Math.max(1, all - passed);
  return html`<span class="grace" aria-hidden="true">${ngettext(
    "You can choose in %(n)s second.",
    "You can choose in %(n)s seconds.",
    left,
  )}<span class="grace-bar" style=${{ "--left": left / all }}></span></span>`;
}
