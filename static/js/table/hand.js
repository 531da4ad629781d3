/* The player's hand: a row of cards to pick from. */

import { html, useLayoutEffect, useRef } from "../../vendor/preact/preact.js";
import { gettext } from "../text/translations.js";
import { follow } from "./card_drag.js";
import { HandCard } from "./card_svg.js";
import { ordered } from "./hand_order.js";
import { mayPickAhead } from "./premove.js";
import { requiredAction } from "./required_action.js";

/** @import { Card } from "../net/messages.js" */
/** @import { Actions, Shown } from "./types.js" */

/** @param {{ state: Shown, act: Actions }} props */
export function Hand({ state, act }) {
  const { model, view, chosen, settings, deck, focusAt } = state;
  const cards = ordered(model.mine, settings.sort);
  const now = requiredAction(state);
  const active = now.own && (now.kind === "discard" || now.kind === "play");
  const legal = new Set(active ? view.legal.cards : []);
  const focus = Math.min(focusAt, cards.length - 1);
  const row = useFocusKept();
  if (model.me === null) return html`<div class="own"></div>`;
  return html`<section class="own" aria-labelledby="hand-title">
    <h2 id="hand-title" class="unseen">${gettext("Hand")}</h2>
    <div ref=${row} class=${`hand ${active ? "active" : ""}`} role="group" tabindex="-1" style=${{ "--cards": cards.length }}
      aria-label=${handName(state)} data-size=${cards.length}>
      ${cards.map(
        (card, at) => html`<${HandCard} key=${card} card=${card} at=${at} deck=${deck}
        chosen=${chosen.includes(card)} ahead=${state.ahead === card} early=${mayPickAhead(state, card)} active=${active} playable=${legal.has(card)}
        advised=${state.hint?.cards.includes(card)} focusable=${at === focus} onPick=${(/** @type {Card} */ picked) => act.pick(picked)}
        onGrab=${(/** @type {PointerEvent} */ event) => follow(event, () => act.drop(card))} />`,
      )}
    </div>
  </section>`;
}

/**
 * The hand's label: the player's own, or that of the seat a replay is seen from.
 * @param {Shown} props
 */
function handName({ model, view, table }) {
  if (view.seat === model.me) return gettext("Your hand");
  return gettext("%(name)s's hand", { name: table.seats[model.me ?? 0].name ?? "" });
}

/** Keeps the focus in the hand when the focused card leaves it. */
function useFocusKept() {
  const row = useRef(/** @type {HTMLElement | null} */ (null));
  const had = row.current?.contains(document.activeElement) ?? false;
  useLayoutEffect(() => {
    if (had && document.activeElement === document.body) {
      /** @type {HTMLElement | null | undefined} */
      const card = row.current?.querySelector('[tabindex="0"]');
      card?.focus({ preventScroll: true });
    }
  });
  return row;
}
