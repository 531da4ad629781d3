/* The show: one hand or crib at a time, its cards lit as each line of the count is said. */

import { html } from "../vendor/preact/preact.js";
import { itemTitle, plainName } from "./ask.js";
import { TableCard } from "./cards.js";
import { gettext, ngettext } from "./texts.js";

export function Show({ state }) {
  const { model, deck } = state;
  const { seat, item, cards, starter, lines, lit, finished, open } = model.show;
  const bright = new Set(lit);
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
      ${finished && lines.length === 0 && model.show.total === 0 && html`<li>${gettext("nineteen: nothing")}</li>`}
    </ol>
    ${finished ? html`<${Total} state=${state} />` : html`<p class="total-place"></p>`}
    ${open && seat !== model.me && html`<p class="lines">${gettext("%(name)s counts…", { name: plainName(state, seat) })}</p>`}
  </div>`;
}

function punctuation(lines, at, finished) {
  if (at < lines.length - 1) return ",";
  if (lines[at].out) return gettext(" — and out!");
  return finished ? "." : "…";
}

function Total({ state }) {
  const { points, total, claimed } = state.model.show;
  const exact = claimed === null || claimed === undefined || claimed === total;
  return html`<p class="total"><b>${points}</b> ${ngettext("point", "points", points)}
    ${!exact && html`<small> · ${claimNote(claimed, total)}</small>`}</p>`;
}

function claimNote(claimed, total) {
  if (total === null) return gettext("claimed %(n)s", { n: claimed });
  if (claimed > total) return gettext("claimed %(n)s, cut back", { n: claimed });
  return gettext("claimed %(n)s of %(total)s", { n: claimed, total });
}

/** What has been counted in this hand before. */
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

function isShown(entry, show) {
  return entry.seat === show.seat && entry.item === show.item;
}
