/* Manual counting: the points a player claims, and the points others call as missed. */

import { html } from "../../vendor/preact/preact.js";
import { plainName } from "../text/seat_names.js";
import { gettext } from "../text/translations.js";

/** @import { Actions, Shown } from "./types.js" */

/** Counts that no hand has. */
const IMPOSSIBLE = new Set([19, 25, 26, 27]);
const MOST = 29;
/** The most points for one card in the play: a double pair royal that makes fifteen or thirty-one. */
const MOST_IN_PLAY = 14;

/**
 * What the numbers are for while points are called: in place of the required action, since there is
 * no room for both on a small phone.
 * @param {Shown} state
 */
export function callQuestion(state) {
  const name = plainName(state, state.view.claim?.seat ?? 0);
  return gettext("How many points did %(name)s miss?", { name });
}

/** @param {{ state: Shown, act: Actions, call?: boolean }} props */
export function ClaimGrid({ state, act, call = false }) {
  const first = call ? 1 : 0;
  const chosen = call ? state.callPoints : state.claimPoints;
  const most = call && state.view.claim?.item === "play" ? MOST_IN_PLAY : MOST;
  const numbers = Array.from({ length: most + 1 - first }, (_, at) => at + first);
  return html`<div class="grid" role="group"
    aria-label=${call ? gettext("Missed points") : gettext("Points to claim")}>
    ${numbers.map((number) => {
      const never = !call && IMPOSSIBLE.has(number);
      return html`<button type="button" class="number" key=${number} disabled=${never}
        aria-label=${never ? gettext("%(n)s, impossible", { n: number }) : undefined}
        aria-pressed=${String(chosen === number)}
        onClick=${() => (call ? act.setCall(number) : act.setClaim(number))}>${number}</button>`;
    })}
  </div>`;
}

/**
 * Points claimed with a card in the play: a row of numbers, or plus and minus on a narrow page.
 * @param {{ state: Shown, act: Actions }} props
 */
export function PlayClaim({ state, act }) {
  return state.narrow
    ? html`<${Stepper} state=${state} act=${act} />`
    : html`<${Row} state=${state} act=${act} />`;
}

/** @param {{ state: Shown, act: Actions }} props */
function Stepper({ state, act }) {
  const claimed = state.claimPoints ?? 0;
  /** @param {number} by */
  const step = (by) => act.setClaim(Math.min(MOST_IN_PLAY, Math.max(0, claimed + by)));
  return html`<div class="play-claim" role="group" aria-label=${gettext("Points to claim")}>
    <span>${gettext("Claim")}</span>
    <button type="button" class="number" aria-label=${gettext("one less")} onClick=${() => step(-1)}>−</button>
    <output>${claimed}</output>
    <button type="button" class="number" aria-label=${gettext("one more")} onClick=${() => step(1)}>+</button>
  </div>`;
}

/** @param {{ state: Shown, act: Actions }} props */
function Row({ state, act }) {
  const numbers = Array.from({ length: MOST_IN_PLAY + 1 }, (_, at) => at);
  const claimed = state.claimPoints ?? 0;
  return html`<div class="play-claim" role="group" aria-label=${gettext("Points to claim")}>
    <span>${gettext("Claim")}</span>
    ${numbers.map(
      (number) => html`<button type="button" class="number" key=${number}
      aria-pressed=${String(claimed === number)} onClick=${() => act.setClaim(number)}>${number}</button>`,
    )}
  </div>`;
}
