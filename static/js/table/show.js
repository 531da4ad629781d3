/* The show: one hand or crib at a time, highlighting the cards of each line of the count. */

import { html } from "../../vendor/preact/preact.js";
import { countSentence } from "../text/count_phrases.js";
import { itemTitle, plainName } from "../text/seat_names.js";
import { gettext, ngettext } from "../text/translations.js";
import { TableCard } from "./card_svg.js";

/** @import { CountedItem, CountLine, Shown, ShownCount } from "./types.js" */
/** @typedef {Shown & { model: Shown["model"] & { show: ShownCount } }} Counting */
/** @import { Card } from "../net/messages.js" */

/** @param {{ state: Counting }} props */
export function Show({ state }) {
  const { model, deck } = state;
  const { seat, item, cards, starter, lines, lit, finished, open } = model.show;
  const bright = new Set(lit);
  /** @param {Card} card */
  const kind = (card) => (bright.size ? (bright.has(card) ? "lit" : "unlit") : "");
  return html`<div class=${`show panel-on-felt seat-${seat}`}>
    <${Counted} state=${state} />
    <p class="panel-title">${itemTitle(state, seat, item)}</p>
    <div class="show-cards">
      ${cards.map((card) => html`<${TableCard} key=${card} card=${card} deck=${deck} kind=${kind(card)} />`)}
      ${
        starter &&
        html`<span class="show-starter">
        <${TableCard} card=${starter} deck=${deck} kind=${kind(starter)} />
        <small>${gettext("Starter")}</small></span>`
      }
    </div>
    <ol class="lines" aria-hidden="true">
      ${lines.map(
        (line, at) => html`<li key=${at} class=${at === lines.length - 1 && !finished ? "now" : ""}>
        ${line.text}${punctuation(lines, at, finished)}</li>`,
      )}
      ${finished && lines.length === 0 && model.show.total === 0 && html`<li>${countSentence([])}</li>`}
    </ol>
    ${finished ? html`<${Total} state=${state} />` : html`<p class="total-place"></p>`}
    ${open && seat !== model.me && html`<p class="lines">${gettext("%(name)s counts…", { name: plainName(state, seat) })}</p>`}
  </div>`;
}

/**
 * @param {CountLine[]} lines
 * @param {number} at
 * @param {boolean | undefined} finished
 */
function punctuation(lines, at, finished) {
  if (at < lines.length - 1) return ",";
  if (lines[at].out) return gettext(" — and out!");
  return finished ? "." : "…";
}

/** @param {{ state: Counting }} props */
function Total({ state }) {
  const { points, total, claimed } = state.model.show;
  // While a claim is open to the others, the total is unknown and the claim is what was scored.
  const exact = claimed === null || claimed === undefined || total === null || claimed === total;
  return html`<p class="total"><b>${points}</b> ${ngettext("point", "points", points ?? 0)}
    ${!exact && html`<small> · ${claimNote(claimed, total)}</small>`}</p>`;
}

/**
 * @param {number} claimed
 * @param {number} total
 */
function claimNote(claimed, total) {
  if (claimed > total) return gettext("claimed %(n)s, corrected", { n: claimed });
  return gettext("claimed %(n)s of %(total)s", { n: claimed, total });
}

/**
 * The hands and cribs already counted in this hand.
 * @param {{ state: Counting }} props
 */
function Counted({ state }) {
  const { model } = state;
  const before = model.counted.filter((entry) => !isShown(entry, model.show));
  return html`<ul class="counted" aria-label=${gettext("Counted so far")}>
    ${before.map(
      (entry) => html`<li class=${`chip seat-${entry.seat}`}>
      ${itemTitle(state, entry.seat, entry.item)} <b>${entry.points}</b></li>`,
    )}
  </ul>`;
}

/**
 * @param {CountedItem} entry
 * @param {ShownCount} show
 */
function isShown(entry, show) {
  return entry.seat === show.seat && entry.item === show.item;
}
