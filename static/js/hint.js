/* A hint: the button that asks for one, and the quiet card that shows it until it is dismissed or
   no longer fits. What is advised, and why, comes from the server in words. */

import { html } from "../vendor/preact/preact.js";
import { gettext } from "./texts.js";

/** Whether the computer may be asked what it would do, now. */
export function mayAsk(state, now) {
  return Boolean(state.table?.hints) && (now.kind === "discard" || now.kind === "play");
}

/** Whether a hint still answers what is asked: others may have laid away meanwhile. */
export function fits(hint, view) {
  return (
    hint.action === view.legal.action && hint.cards.every((card) => view.legal.cards.includes(card))
  );
}

export function HintButton({ state, act }) {
  const asked = state.hinting !== null;
  return html`<button type="button" class="secondary hint-ask" aria-disabled=${asked ? "true" : undefined}
    aria-expanded=${String(state.hint !== null)} onClick=${() => act.hint()}>${gettext("Hint")}</button>`;
}

export function HintCard({ hint, act }) {
  return html`<aside class="hint" aria-label=${gettext("Hint")} tabindex="0">
    <p>${hint.advice}</p>
    <ul>${hint.reasons.map((reason) => html`<li key=${reason}>${reason}</li>`)}</ul>
    <button type="button" class="hint-close" aria-label=${gettext("Close the hint")}
      onClick=${() => act.dropHint()}>×</button>
  </aside>`;
}
