/* The deadline of a turn in a correspondence match, and the others' choices once it has passed. The
   server decides when it has. */

import { html } from "../../vendor/preact/preact.js";
import { localTimeText, pageLanguage } from "../text/local_time.js";
import { plainName } from "../text/seat_names.js";
import { gettext } from "../text/translations.js";

/** @import { DueSeat } from "../net/messages.js" */
/** @import { Actions, Shown, TableState } from "./types.js" */

/**
 * The deadline of the current turn; null if there is none, or if it belongs to another version.
 * @param {Pick<TableState, "due" | "view" | "table">} props
 */
function currentDeadline({ due, view, table }) {
  if (!due || table?.status !== "playing" || due.v !== view?.v) return null;
  return due;
}

/**
 * The player's own deadline, else a line for each player who must act: "Ann has until Tuesday 18:30". The
 * deadlines come just after the view: until then, those of players who must still act are shown.
 * @param {Pick<TableState, "due" | "view" | "table">} state
 * @param {number} [now]
 */
export function deadlineLines(state, now = Date.now()) {
  const { due, table, view } = state;
  if (!due || !view || table?.status !== "playing") return [];
  const seats = due.seats.filter(({ seat }) => due.v === view.v || view.waiting.includes(seat));
  const own = seats.find((each) => each.seat === view.seat);
  if (own) return [ownLine(own, now)];
  return seats.map((each) => otherLine(plainName(state, each.seat), each, now));
}

/**
 * @param {DueSeat} own
 * @param {number} now
 */
function ownLine({ until, late, away }, now) {
  const when = timeText(late ? until : (away ?? until), now);
  if (late)
    return gettext("You ran out of time %(when)s. Play before the others decide.", { when });
  return away
    ? gettext("You're away until %(when)s. Your deadline is paused.", { when })
    : gettext("You have until %(when)s", { when });
}

/**
 * @param {string} name
 * @param {DueSeat} other
 * @param {number} now
 */
function otherLine(name, { until, late, away }, now) {
  const when = timeText(late ? until : (away ?? until), now);
  if (late) return gettext("%(name)s ran out of time %(when)s", { name, when });
  return away
    ? gettext("%(name)s is away until %(when)s. The deadline is paused.", { name, when })
    : gettext("%(name)s has until %(when)s", { name, when });
}

/**
 * @param {number} seconds
 * @param {number} now
 */
function timeText(seconds, now) {
  return localTimeText(seconds * 1000, { now, language: pageLanguage() });
}

/**
 * Whether the opponent is about to play a card, which the player may answer in advance.
 * @param {Pick<TableState, "plan" | "view">} state
 */
export function mayPlan({ plan, view }) {
  const own = view?.seat ?? null;
  return Boolean(plan && view?.phase === "play" && own !== null && !view.waiting.includes(own));
}

/**
 * The deadlines, of which a screen reader announces what is new, and links, which it doesn't. They stay
 * on the page between two moves, so that nothing unchanged is new.
 * @param {{ state: Shown }} props
 */
export function TurnDeadline({ state }) {
  if (!state.due || state.table.status !== "playing") return null;
  const lines = deadlineLines(state);
  return html`<div class="due">
    <p role="status" aria-atomic="false">${lines.map((line) => html`<span key=${line}>${line}</span>`)}</p>
    ${mayPlan(state) && html`<a href=${state.plan}>${gettext("Plan your next play")}</a>`}
    ${state.tell && html`<a href=${state.tell}>${gettext("Tell me when it's my turn")}</a>`}</div>`;
}

/**
 * The panel about a missed deadline: the others choose what happens.
 * @param {{ state: Shown, act: Actions }} props
 */
export function MissedDeadline({ state, act }) {
  const due = currentDeadline(state);
  const { model } = state;
  const late = due?.seats.filter((each) => each.late).map((each) => each.seat) ?? [];
  if (!due || !late.length || model.me === null || late.includes(model.me)) return null;
  return html`<div class="absent" role="status">${late.map(
    (seat) => html`<div key=${seat}>
    <p>${gettext("%(name)s ran out of time. What now?", { name: plainName(state, seat) })}</p>
    <p class="absent-buttons">
      <button type="button" class="secondary" onClick=${() => act.wish("stand_in", { seat, v: due.v })}>
        ${gettext("Let the computer play")}</button>
      ${
        model.players === 2 &&
        html`<button type="button" class="secondary" onClick=${() => act.wish("claim_win", { seat, v: due.v })}>
        ${gettext("Claim the win")}</button>`
      }
      <span>${gettext("or keep waiting")}</span>
    </p></div>`,
  )}</div>`;
}
