/* The action bar: the required action, and the button for it. */

import { html } from "../../vendor/preact/preact.js";
import { cardSign } from "../text/card_names.js";
import { cribOf, plainName } from "../text/seat_names.js";
import { gettext, ngettext } from "../text/translations.js";
import { Absent } from "./absent_players.js";
import { ClaimGrid, callQuestion, PlayClaim } from "./claim_points.js";
import { HintButton, HintCard, mayAsk } from "./hint.js";
import { afterLostSeat, requiredAction } from "./required_action.js";

/** @import { Actions, Asked, Shown } from "./types.js" */

/** @param {{ state: Shown, act: Actions }} props */
export function ActionBar({ state, act }) {
  const now = requiredAction(state);
  return html`<section class=${`actions kind-${now.kind} ${now.own ? "own-turn" : ""}`}
    aria-label=${gettext("What to do now")}>
    ${state.coach && html`<p class="coach">${state.coach}</p>`}
    <p class="ask">${state.calling ? callQuestion(state) : now.title}${state.ahead && html`<small> · ${gettext("then %(card)s", { card: cardSign(state.ahead) })}</small>`}</p>
    <${Absent} state=${state} act=${act} />
    ${extra(now, state, act)}
    ${state.hint && html`<${HintCard} hint=${state.hint} act=${act} />`}
    <div class="buttons">
      ${mayAsk(state, now) && html`<${HintButton} state=${state} act=${act} />`}
      ${state.view?.legal.muggins && now.kind !== "answer" && html`<${CallButton} state=${state} act=${act} />`}
      ${button(now, state, act)}
    </div>
  </section>`;
}

/**
 * @param {Asked} now
 * @param {Shown} state
 * @param {Actions} act
 */
function extra(now, state, act) {
  if (state.calling) return html`<${ClaimGrid} state=${state} act=${act} call=${true} />`;
  if (now.kind === "claim") return html`<${ClaimGrid} state=${state} act=${act} />`;
  if (now.kind === "left") return html`<p class="left-note">${afterLostSeat(state)}</p>`;
  // Also before a card is chosen: the row would lift the hand away from under a second tap.
  if (now.kind === "play" && state.view.legal.claims) {
    return html`<${PlayClaim} state=${state} act=${act} />`;
  }
  return null;
}

/** @type {Partial<Record<Asked["kind"], (state: Shown) => { text: string, ready: boolean }>>} */
const BUTTONS = {
  continue: () => ({ text: gettext("Continue"), ready: true }),
  return: () => ({ text: gettext("Take back my seat"), ready: true }),
  discard(state) {
    const { legal, dealer } = state.view;
    const text = ngettext("Throw %(n)s to %(crib)s", "Throw %(n)s to %(crib)s", legal.number, {
      crib: cribOf(state, dealer),
    });
    return { text, ready: state.chosen.length === legal.number };
  },
  play(state) {
    const [card] = state.chosen;
    if (!card) return { text: gettext("Play a card"), ready: false };
    const values = { card: cardSign(card), count: state.preview ?? 0 };
    if (!state.view.legal.claims) return { text: gettext("Play %(card)s", values), ready: true };
    return {
      text: gettext("Play %(card)s, claim %(n)s", { ...values, n: state.claimPoints ?? 0 }),
      ready: true,
    };
  },
  claim(state) {
    const n = state.claimPoints;
    if (n === null) return { text: gettext("Choose your points"), ready: false };
    return { text: ngettext("Claim %(n)s point", "Claim %(n)s points", n), ready: true };
  },
};

/**
 * @param {Asked} now
 * @param {Shown} state
 * @param {Actions} act
 */
function button(now, state, act) {
  if (now.kind === "answer") return html`<${Answer} state=${state} act=${act} />`;
  const closed = state.table.status === "abandoned" && !state.model.over;
  if (now.kind === "over" && !closed) return null;
  if (now.kind === "left" || closed) {
    return html`<a class="secondary" href="/">${gettext("Leave the table")}</a>`;
  }
  if (state.ahead) {
    return html`<button type="button" class="secondary" onClick=${() => act.clear()}>
      ${gettext("Take it back")}</button>`;
  }
  const make = BUTTONS[now.kind];
  if (!make) return null;
  const { text, ready } = make(state);
  // A move made while the connection is lost is sent on reconnecting.
  const blocked = !ready || (now.kind !== "continue" && state.sending !== null);
  return html`<button type="button" class="primary" id="primary" aria-disabled=${blocked ? "true" : undefined}
    onClick=${() => act.confirm()}>${text}</button>`;
}

/** @param {{ state: Shown, act: Actions }} props */
function Answer({ state, act }) {
  const busy = state.sending !== null;
  // Not `disabled`, which would take the focus away from the table.
  const blocked = busy ? "true" : undefined;
  return html`
    <button type="button" class="secondary" aria-expanded=${String(state.calling)} aria-disabled=${blocked}
      onClick=${() => busy || act.openCall(!state.calling)}>${gettext("Muggins!")}</button>
    <button type="button" class="primary" id="primary" aria-disabled=${blocked}
      onClick=${() => act.confirm()}>${gettext("Let it stand")}</button>`;
}

/** @param {{ state: Shown, act: Actions }} props */
function CallButton({ state, act }) {
  const name = plainName(state, state.view.claim?.seat ?? 0);
  return html`<button type="button" class="secondary" aria-expanded=${String(state.calling)}
    onClick=${() => act.openCall(!state.calling)}>
    ${state.narrow ? gettext("Muggins!") : gettext("Muggins! %(name)s missed…", { name })}</button>`;
}
