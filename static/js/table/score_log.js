/* The score log: every point of the match with its reason, newest first. Games that were over when
   the page was opened are requested one by one. */

import { html } from "../../vendor/preact/preact.js";
import { logLine } from "../text/event_sentences.js";
import { seatName } from "../text/seat_names.js";
import { gettext, ngettext } from "../text/translations.js";
import { memo } from "../ui/memo.js";
import { DealCommitment } from "./deal_commitment.js";
import { missingGame } from "./model.js";

/** @import { Actions, Shown } from "./types.js" */
/** @import { LogLine } from "../text/event_sentences.js" */

/**
 * The values that the lines depend on.
 * @param {{ state: Shown, drawer?: boolean }} props
 */
function shown({ state, drawer }) {
  const { model, table, view, fair, replay } = state;
  return [model.log, model.game, table, view?.seat, fair, replay, drawer];
}

export const Log = memo(shown, LogOf);

/** @param {{ state: Shown, act: Pick<Actions, "open" | "recall">, drawer?: boolean }} props */
function LogOf({ state, act, drawer }) {
  const lines = entries(state);
  // A replay reaches other games by its own controls.
  const missing = state.replay ? null : missingGame(state.model);
  return html`<section class=${`log ${drawer ? "drawer" : ""}`} aria-labelledby="log-title">
    <header><h2 id="log-title">${gettext("Log")}</h2>
      ${drawer && html`<button type="button" class="quiet" onClick=${() => act.open(null)}>${gettext("Close")}</button>`}
    </header>
    <ol tabindex="0" aria-label=${gettext("Log, newest first")}>
      ${lines.map((line) => html`<${Line} key=${line.key} line=${line} state=${state} />`)}
      ${
        missing !== null &&
        html`<li class="log-note" key="earlier"><button type="button" class="quiet" onClick=${() => act.recall(missing)}>
          ${gettext("Show game %(n)s", { n: missing })}</button></li>`
      }
    </ol>
    <${DealCommitment} fair=${state.fair} whole=${true} />
  </section>`;
}

/**
 * All lines, newest first.
 * @param {Shown} state
 */
function entries(state) {
  return state.model.log
    .map((entry, key) => ({ key, ...logLine(state, entry.event) }))
    .filter((line) => line.text)
    .reverse();
}

/** @param {{ line: LogLine, state: Shown }} props */
function Line({ line, state }) {
  if (line.seat === undefined) {
    return html`<li class=${line.head ? "log-head" : "log-note"}>
      ${line.head && html`<b>${line.head}</b>`} <span>${line.text}</span></li>`;
  }
  return html`<li class=${`log-line seat-${line.seat} ${line.points ? "scored" : ""}`}>
    <span class="log-name">${seatName(state, line.seat)}</span>
    <span class="log-text">${line.text}</span>
    ${
      (line.points ?? 0) > 0 &&
      html`<b class="log-points">+${line.points}<span class="unseen">
      ${ngettext(" point", " points", line.points ?? 0)}</span></b>`
    }
  </li>`;
}
