/* The cards played in this hand, and the count. Cards of earlier counts dim but stay. */

import { html } from "../../vendor/preact/preact.js";
import { cardName } from "../text/card_names.js";
import { plainName, seatName } from "../text/seat_names.js";
import { gettext, ngettext, pgettext } from "../text/translations.js";
import { TableCard } from "./card_svg.js";

/** @import { Model, Play, Shown } from "./types.js" */

/** @param {{ state: Shown }} props */
export function Pile({ state }) {
  const { model, deck, chosen, view } = state;
  const preview = chosen.length === 1 && view.legal.action === "play" && !state.sending;
  // The last count may still be shown while the card already belongs to the next one.
  const count = preview ? view.count : model.count;
  return html`<div class="pile-area">
    <ol class="pile" aria-label=${gettext("Cards played")} style=${{ "--cards": model.plays.length }}>
      ${model.plays.map(
        (play, at) => html`<li key=${play.card} class=${playClass(play, model)}
          style=${{ "--at": at }}>
        <${TableCard} card=${play.card} deck=${deck} label=${label(state, play, model)} />
      </li>`,
      )}
      ${model.plays.length === 0 && html`<li class="empty" aria-hidden="true"><span class="card outline"></span></li>`}
    </ol>
    ${model.lastCounted.length > 0 && html`<${LastHand} state=${state} />`}
    ${
      model.phase === "play" &&
      html`<p class=${`count ${count === 31 ? "full" : ""}`}>
      <span class="count-name">${pgettext("the play", "Count")}</span>
      <b>${count}</b>
      ${preview && html`<span class="preview">→ ${state.preview}</span>`}
    </p>`
    }
  </div>`;
}

/**
 * @param {Play} play
 * @param {Model} model
 */
function playClass(play, model) {
  const side = play.seat === (model.me ?? 0) ? "by-me" : "by-other";
  return `${side} seat-${play.seat}${play.run === model.run ? "" : " spent"}`;
}

/**
 * @param {Shown} state
 * @param {Play} play
 * @param {Model} model
 */
function label(state, play, model) {
  const name = play.seat === state.view.seat ? gettext("you") : plainName(state, play.seat);
  const spent = play.run === model.run ? "" : gettext(", earlier count");
  return `${cardName(play.card)}, ${name}${spent}`;
}

/** @param {{ state: Shown }} props */
function LastHand({ state }) {
  const { model } = state;
  return html`<ul class="last-hand" aria-label=${gettext("Last hand's show")}>
    ${model.lastCounted.map(
      (entry) => html`<li class=${`chip seat-${entry.seat}`}>
      ${entry.item === "crib" ? gettext("Crib") : seatName(state, entry.seat)} <b>${entry.points}</b>
      <span class="unseen"> ${ngettext("point", "points", entry.points)}</span></li>`,
    )}
  </ul>`;
}
