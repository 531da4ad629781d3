/* The own hand: a row of cards to pick from. */

import { html, useLayoutEffect, useRef } from "../vendor/preact/preact.js";
import { ask } from "./ask.js";
import { HandCard } from "./cards.js";
import { follow } from "./drag.js";
import { ordered } from "./hand-order.js";
import { mayPickAhead } from "./premove.js";
import { gettext } from "./texts.js";

export function Hand({ state, act }) {
  const { model, view, chosen, settings, deck, focusAt } = state;
  const cards = ordered(model.mine, settings.sort);
  const now = ask(state);
  const active = now.own && (now.kind === "discard" || now.kind === "play");
  const legal = new Set(active ? view.legal.cards : []);
  const focus = Math.min(focusAt, cards.length - 1);
  const row = useFocusKept();
  if (model.me === null) return html`<div class="own"></div>`;
  return html`<section class="own" aria-labelledby="hand-title">
    <h2 id="hand-title" class="unseen">${gettext("Hand")}</h2>
    <div ref=${row} class=${`hand ${active ? "active" : ""}`} role="group" style=${{ "--cards": cards.length }}
      aria-label=${handName(state)} data-size=${cards.length}>
      ${cards.map(
        (card, at) => html`<${HandCard} key=${card} card=${card} at=${at} deck=${deck}
        chosen=${chosen.includes(card)} ahead=${state.ahead === card} early=${mayPickAhead(state, card)} active=${active} playable=${legal.has(card)}
        advised=${state.hint?.cards.includes(card)} focusable=${at === focus} onPick=${(picked) => act.pick(picked)}
        onGrab=${(event) => follow(event, () => act.drop(card))} />`,
      )}
    </div>
  </section>`;
}

/** Own cards, or those of the seat from which a replay is looked at. */
function handName({ model, view, table }) {
  if (view.seat === model.me) return gettext("Your hand");
  return gettext("%(name)s's hand", { name: table.seats[model.me].name });
}

/** When the card that had the focus leaves the hand, the focus stays in the hand. */
function useFocusKept() {
  const row = useRef(null);
  const had = row.current?.contains(document.activeElement) ?? false;
  useLayoutEffect(() => {
    if (had && document.activeElement === document.body) {
      row.current?.querySelector('[tabindex="0"]')?.focus({ preventScroll: true });
    }
  });
  return row;
}
