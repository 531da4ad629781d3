/* The choices after a match: a rematch, agreed by both; the same cards with the seats swapped; the
   match, the review, and the way out. */

import { html } from "../../vendor/preact/preact.js";
import { nameList } from "../text/seat_names.js";
import { gettext } from "../text/translations.js";
import { returnPage } from "./return_page.js";

/** @import { Seat } from "../net/messages.js" */
/** @import { Actions, Shown } from "./types.js" */

/** @typedef {"rematch" | "swap"} Wish */

/**
 * What this player and the others wish for, and what to offer as the main choice.
 *
 * The others' wish is offered first, so that one click agrees to it; a wish that differs from the
 * player's own is offered too.
 * @param {Pick<Shown, "table" | "view">} state
 * @returns {{ own: Wish | null, others: Wish | null, main: Wish }}
 */
export function wishes({ table, view }) {
  const { wanted = [], swapped = [] } = table.rematch ?? {};
  const mine = view.seat ?? -1;
  const others = wanted.some((seat) => seat !== mine)
    ? "rematch"
    : swapped.some((seat) => seat !== mine)
      ? "swap"
      : null;
  const own = wanted.includes(mine) ? "rematch" : swapped.includes(mine) ? "swap" : null;
  return { own, others, main: others ?? own ?? "rematch" };
}

/**
 * The seats that the rematch this player has asked for waits for.
 * @param {Pick<Shown, "table" | "view">} state
 */
export function awaited({ table, view }) {
  const { own } = wishes({ table, view });
  if (!own) return [];
  const agreed = own === "swap" ? table.rematch.swapped : table.rematch.wanted;
  const people = table.seats.filter((each) => each.kind !== "computer" && !each.stand_in);
  return people.map((each) => each.seat).filter((seat) => !agreed.includes(seat));
}

/**
 * Whether everyone has asked for the same rematch: it starts by itself, if not at once.
 * @param {Pick<Shown, "table" | "view">} state
 */
export function agreed(state) {
  const { own, others } = wishes(state);
  const alone = others === null || others === own;
  return own !== null && alone && !state.table.rematch.match && awaited(state).length === 0;
}

/**
 * Whether the rematch that everyone has asked for could not be started: each may ask again.
 * @param {Pick<Shown, "table" | "view">} state
 */
export function stalled(state) {
  return state.table.rematch?.stalled === true && agreed(state);
}

/**
 * Whether the rematch that everyone had asked for could not be started: the wishes have been dropped.
 * @param {Pick<Shown, "table" | "view">} before
 * @param {Pick<Shown, "table" | "view">} now
 */
export function fellThrough(before, now) {
  const { own, others } = wishes(now);
  const { match, possible } = now.table.rematch;
  return agreed(before) && possible && !match && own === null && others === null;
}

/**
 * Whether this player has blocked one of the others: they are not seated together again.
 * @param {Pick<Shown, "chat">} state
 */
function hasBlocked({ chat }) {
  return Boolean(chat?.blocked.length);
}

/**
 * What another player has just asked this one for, who has not asked for anything; "" for nothing.
 * @param {Pick<Shown, "table" | "view" | "chat">} before
 * @param {Pick<Shown, "table" | "view" | "chat">} now
 */
export function invitation(before, now) {
  const { own, others } = wishes(now);
  if (now.view.seat === null || hasBlocked(now)) return "";
  if (own || !others || others === wishes(before).others) return "";
  const { wanted, swapped } = now.table.rematch;
  return others === "swap" ? swapText(now, swapped) : rematchText(now, wanted);
}

/**
 * @param {Pick<Shown, "table">} state
 * @param {Seat[]} seats
 */
function rematchText(state, seats) {
  return gettext("%(names)s would like a rematch", { names: nameList(state, seats) });
}

/**
 * @param {Pick<Shown, "table">} state
 * @param {Seat[]} seats
 */
function swapText(state, seats) {
  const names = nameList(state, seats);
  return gettext("%(names)s would like to swap seats with these cards", { names });
}

/**
 * What others wish comes below the buttons and links: above them, it would move them under a finger.
 * @param {{ state: Shown, act: Actions }} props
 */
export function After({ state, act }) {
  const { table, view, lesson, exam } = state;
  const {
    wanted = [],
    swapped = [],
    can_swap: canSwap,
    offered,
    possible,
    match: next,
  } = table.rematch;
  const apart = hasBlocked(state);
  const others = apart ? [] : wanted.filter((seat) => seat !== view.seat);
  const swappers = apart ? [] : swapped.filter((seat) => seat !== view.seat);
  const guest = table.seats[view.seat ?? -1]?.kind === "guest";
  const night = returnPage(`/t/${table.match}/`);
  const may = view.seat !== null && !next && offered && possible && !apart;
  const { main } = wishes(state);
  const missing = may ? awaited(state) : [];
  const starts = may && agreed(state);
  return html`<div class="after">
    <div class="after-buttons">
      ${night && html`<a class="primary" href=${night}>${gettext("Back to the club night")}</a>`}
      ${next && html`<a class="primary" href=${`/t/${next}/`}>${gettext("Go to the rematch")}</a>`}
      ${lesson && !next && html`<a class="primary" id="full-game" href="/#play">${gettext("Play a full game")}</a>`}
      ${exam && !next && html`<a class="primary" href=${exam}>${gettext("See the exam result")}</a>`}
      ${may && !lesson && !exam && html`<${WishButton} wish=${main} state=${state} act=${act} main=${!night} />`}
    </div>
    <ul class="quiet-links">
      ${may && (lesson || exam) && html`<li><${WishButton} wish=${main} state=${state} act=${act} /></li>`}
      ${may && (canSwap || main === "swap") && html`<li><${WishButton} wish=${main === "swap" ? "rematch" : "swap"} state=${state} act=${act} /></li>`}
      <li><a href=${`/matches/${table.match}/`}>${gettext("View the match")}</a></li>
      ${view.seat !== null && html`<li><a href=${`/matches/${table.match}/review/`}>${gettext("Review")}</a></li>`}
      <li><a href="/">${gettext("Leave the table")}</a></li>
    </ul>
    ${others.length > 0 && !starts && html`<p role="status">${rematchText(state, others)}</p>`}
    ${swappers.length > 0 && !starts && html`<p role="status">${swapText(state, swappers)}</p>`}
    ${missing.length > 0 && html`<p role="status">${gettext("Waiting for %(names)s", { names: nameList(state, missing) })}</p>`}
    ${starts && html`<p role="status">${stalled(state) ? gettext("The rematch couldn't start yet. Try again now or later.") : gettext("The rematch starts in a moment.")}</p>`}
    ${guest && html`<p class="keep"><a href=${`/accounts/signup/?next=/t/${table.match}/`}>${gettext("Create an account to keep this game")}</a></p>`}
  </div>`;
}

/**
 * A button that asks for one kind of rematch, or accepts it. Once pressed it keeps the focus, which `disabled` would take.
 * @param {{ wish: Wish, state: Shown, act: Actions, main?: boolean }} props
 */
function WishButton({ wish, state, act, main = false }) {
  const { own, others } = wishes(state);
  const swap = wish === "swap";
  const again = own === wish && stalled(state);
  const asked = own === wish && !again;
  return html`<button type="button" class=${main ? "primary" : "quiet"} id=${swap ? "swap" : "rematch"}
    aria-disabled=${asked ? "true" : undefined} title=${swap ? gettext("You play each other's cards.") : undefined}
    onClick=${() => asked || act.wish("rematch", swap ? { swap } : {})}>${again ? gettext("Try again") : label(wish, asked, others === wish)}</button>`;
}

/**
 * @param {Wish} wish
 * @param {boolean} asked
 * @param {boolean} accepts
 */
function label(wish, asked, accepts) {
  if (wish === "swap") {
    if (asked) return gettext("Swap requested…");
    return accepts ? gettext("Accept the swap") : gettext("Swap seats, same cards");
  }
  if (asked) return gettext("Rematch requested…");
  return accepts ? gettext("Accept rematch") : gettext("Rematch");
}
