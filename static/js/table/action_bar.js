/* The action bar: the required action, and the button for it. */

import { html } from "../../vendor/preact/preact.js";
import { cardSign } from "../text/card_names.js";
import { cribOf, plainName } from "../text/seat_names.js";
import { gettext, ngettext } from "../text/translations.js";
import { Absent } from "./absent_players.js";
import { ClaimGrid, callQuestion, PlayClaim } from "./claim_points.js";
import { HintButton, HintCard, mayAsk } from "./hint.js";
import { afterLostSeat, mayHaveMissed, requiredAction } from "./required_action.js";

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
      ${mayAsk(state, now) && !state.calling && html`<${HintButton} state=${state} act=${act} />`}
      ${state.view?.legal.muggins && !state.coming && mayHaveMissed(state) && html`<${CallButton} now=${now} state=${state} act=${act} />`}
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
  answer: (state) => ({
    text: mayHaveMissed(state) ? gettext("Let it stand") : gettext("Continue"),
    ready: true,
  }),
};

/** @param {Shown} state */
function calledPoints({ callPoints: n }) {
  if (n === null) return { text: gettext("Choose your points"), ready: false };
  return { text: gettext("Muggins! %(n)s", { n }), ready: true };
}

/**
 * @param {Asked} now
 * @param {Shown} state
 * @param {Actions} act
 */
function button(now, state, act) {
  const closed = state.table.status === "abandoned" && !state.model.over;
  if (now.kind === "over" && !closed) return null;
  if (now.kind === "left" || closed) {
    return html`<a class="secondary" href="/">${gettext("Leave the table")}</a>`;
  }
  if (state.ahead) {
    return html`<button type="button" class="secondary" onClick=${() => act.clear()}>
      ${gettext("Take it back")}</button>`;
  }
  const make = state.calling ? calledPoints : BUTTONS[now.kind];
  if (!make) return null;
  const { text, ready } = make(state);
  // A move made while the connection is lost is sent on reconnecting.
  const moves = state.calling || now.kind !== "continue";
  const blocked = !ready || (moves && state.sending !== null);
  return html`<button type="button" class="primary" id="primary" aria-disabled=${blocked ? "true" : undefined}
    onClick=${() => act.confirm()}>${text}</button>`;
}

/**
 * Opens the grid of points that another player missed, and closes it.
 * @param {{ now: Asked, state: Shown, act: Actions }} props
 */
function CallButton({ now, state, act }) {
  const { calling } = state;
  const name = plainName(state, state.view.claim?.seat ?? 0);
  const short = state.narrow || now.kind === "answer";
  const call = short ? gettext("Muggins!") : gettext("Muggins! %(name)s missed…", { name });
  // Not `disabled`, which would take the focus away from the table.
  return html`<button type="button" class="secondary" aria-expanded=${String(calling)}
    aria-disabled=${state.sending ? "true" : undefined}
    onClick=${() => state.sending || act.openCall(!calling)}>${calling ? gettext("Cancel") : call}</button>`;
}
