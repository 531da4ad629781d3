/* Hints: the button that requests one, and the card that shows it until it is dismissed or outdated.
   The server sends the advice and its reasons as text. */

import { html } from "../../vendor/preact/preact.js";
import { gettext } from "../text/translations.js";

/** @import { Hint, View } from "../net/messages.js" */
/** @import { Actions, Asked, Shown, TableState } from "./types.js" */

/**
 * Whether a hint may be requested now.
 * @param {Pick<TableState, "table">} state
 * @param {Asked} now
 */
export function mayAsk(state, now) {
  return Boolean(state.table?.hints) && (now.kind === "discard" || now.kind === "play");
}

/**
 * Whether a hint still fits the required action; others may have moved since.
 * @param {Hint} hint
 * @param {View} view
 */
export function fits(hint, view) {
  return (
    hint.action === view.legal.action && hint.cards.every((card) => view.legal.cards.includes(card))
  );
}

/** @param {{ state: Shown, act: Actions }} props */
export function HintButton({ state, act }) {
  const asked = state.hinting !== null;
  return html`<button type="button" class="secondary hint-ask" aria-disabled=${asked ? "true" : undefined}
    aria-expanded=${String(state.hint !== null)} onClick=${() => act.hint()}>${gettext("Hint")}</button>`;
}

/** @param {{ hint: Hint, act: Actions }} props */
export function HintCard({ hint, act }) {
  return html`<aside class="hint" aria-label=${gettext("Hint")} tabindex="0">
    <p>${hint.advice}</p>
    <ul>${hint.reasons.map((reason) => html`<li key=${reason}>${reason}</li>`)}</ul>
    <button type="button" class="hint-close" aria-label=${gettext("Close hint")}
      onClick=${() => act.dropHint()}>×</button>
  </aside>`;
}
