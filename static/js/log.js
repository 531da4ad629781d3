/* The score log: every point of this game with its reason, newest first. */

import { html } from "../vendor/preact/preact.js";
import { seatName } from "./ask.js";
import { drawnFor } from "./drawn.js";
import { Fair } from "./fair.js";
import { logLine } from "./sentences.js";
import { gettext, ngettext } from "./texts.js";

/** All that the lines are made of. */
function shown({ state, drawer }) {
  const { model, table, view, fair } = state;
  return [model.log, table, view?.seat, fair, drawer];
}

export const Log = drawnFor(shown, LogOf);

function LogOf({ state, act, drawer }) {
  const lines = entries(state);
  return html`<section class=${`log ${drawer ? "drawer" : ""}`} aria-labelledby="log-title">
    <header><h2 id="log-title">${gettext("Log")}</h2>
      ${drawer && html`<button type="button" class="quiet" onClick=${() => act.open(null)}>${gettext("Close")}</button>`}
    </header>
    <ol tabindex="0" aria-label=${gettext("What happened, newest first")}>
      ${lines.map((line) => html`<${Line} key=${line.key} line=${line} state=${state} />`)}
    </ol>
    <${Fair} fair=${state.fair} whole=${true} />
  </section>`;
}

/** All lines, newest first. */
function entries(state) {
  return state.model.log
    .map((entry, key) => ({ key, ...logLine(state, entry.event) }))
    .filter((line) => line.text)
    .reverse();
}

function Line({ line, state }) {
  if (line.seat === undefined) {
    return html`<li class=${line.head ? "log-head" : "log-note"}>
      ${line.head && html`<b>${line.head}</b>`} <span>${line.text}</span></li>`;
  }
  return html`<li class=${`log-line seat-${line.seat} ${line.points ? "scored" : ""}`}>
    <span class="log-name">${seatName(state, line.seat)}</span>
    <span class="log-text">${line.text}</span>
    ${
      line.points > 0 &&
      html`<b class="log-points">+${line.points}<span class="unseen">
      ${ngettext(" point", " points", line.points)}</span></b>`
    }
  </li>`;
}
