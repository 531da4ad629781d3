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

/**
 * The points to claim in the show after a digit: it follows the one before, if a hand can have that count.
 * @param {number | null} claimed
 * @param {number} digit
 */
export function typedClaim(claimed, digit) {
  const joined = (claimed ?? 0) * 10 + digit;
  return joined > MOST || IMPOSSIBLE.has(joined) ? digit : joined;
}

/**
 * The points to claim with a card, after one more or one less.
 * @param {number | null} claimed
 * @param {number} by
 */
export function steppedClaim(claimed, by) {
  return Math.min(MOST_IN_PLAY, Math.max(0, (claimed ?? 0) + by));
}

/**
 * Moves the focus to the numbers that a player has opened: they come before the button that opens them.
 * @param {HTMLElement | null} grid
 */
function focusFirst(grid) {
  grid?.querySelector("button")?.focus({ preventScroll: true });
}

/** @param {{ state: Shown, act: Actions, call?: boolean }} props */
export function ClaimGrid({ state, act, call = false }) {
  const first = call ? 1 : 0;
  const chosen = call ? state.callPoints : state.claimPoints;
  const most = call && state.view.claim?.item === "play" ? MOST_IN_PLAY : MOST;
  const numbers = Array.from({ length: most + 1 - first }, (_, at) => at + first);
  return html`<div class="grid" role="group" ref=${call ? focusFirst : undefined}
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
 * Points claimed with a card in the play: plus and minus, which fit into one line with the buttons.
 * @param {{ state: Shown, act: Actions }} props
 */
export function PlayClaim({ state, act }) {
  const claimed = state.claimPoints ?? 0;
  /** @param {number} by */
  const step = (by) => act.setClaim(steppedClaim(claimed, by));
  return html`<div class="play-claim" role="group" aria-label=${gettext("Points to claim")}>
    <span>${gettext("Claim")}</span>
    <button type="button" class="number" aria-label=${gettext("one less")} onClick=${() => step(-1)}>−</button>
    <output>${claimed}</output>
    <button type="button" class="number" aria-label=${gettext("one more")} onClick=${() => step(1)}>+</button>
  </div>`;
}
