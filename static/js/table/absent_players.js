/* The notice about players who are away, or do not act, in the middle of a match: beside the buttons,
   where it covers no cards. */

import { html, useEffect, useState } from "../../vendor/preact/preact.js";
import { nameList } from "../text/seat_names.js";
import { gettext, ngettext } from "../text/translations.js";

/** @import { Actions, Named, Shown } from "./types.js" */
/** @import { AbsentPlayer, Table, View } from "../net/messages.js" */

/**
 * Whether the server is about to let the others decide for this player, or has.
 * @param {Table | null} table
 */
export function isAskedToPlay(table) {
  return Boolean(ownEntry(table));
}

/** @param {Table | null} table */
function ownEntry(table) {
  if (table?.status !== "playing") return undefined;
  return table.idle?.find((entry) => entry.seat === table.you);
}

/**
 * What a player reads who has not acted for long; null for all others.
 * @param {Named & { table: Table | null }} state
 */
export function stillThere(state) {
  const { table } = state;
  const own = ownEntry(table);
  if (!table || !own) return null;
  const others = table.seats.filter(
    (each) => each.kind !== "computer" && !each.stand_in && each.seat !== table.you,
  );
  const names = nameList(
    state,
    others.map((each) => each.seat),
  );
  return own.offer_in === null
    ? gettext("Still there? It's your turn. %(names)s can now go on without you.", { names })
    : gettext("Still there? It's your turn. Soon %(names)s can go on without you.", { names });
}

/**
 * The players that this one waits for, and who are away or do not act; the soonest choice first.
 * @param {{ table: Table, view: Pick<View, "seat" | "waiting"> }} state
 * @returns {(AbsentPlayer & { away: boolean })[]}
 */
export function missedPlayers({ table, view }) {
  const { seat: me, waiting } = view;
  if (me === null || table.status !== "playing") return [];
  // Who has to act themselves decides about nobody who is thinking.
  const idle = waiting.includes(me) ? [] : (table.idle ?? []);
  return [
    ...(table.absent ?? []).map((entry) => ({ ...entry, away: true })),
    ...idle.map((entry) => ({ ...entry, away: false })),
  ]
    .filter((entry) => entry.seat !== me)
    .sort((one, other) => (one.offer_in ?? 0) - (other.offer_in ?? 0));
}

/**
 * The players who are missed, and the choices of the others.
 * @param {{ state: Shown, act: Actions }} props
 */
export function Absent({ state, act }) {
  const asked = stillThere(state);
  const missed = missedPlayers(state);
  if (!asked && !missed.length) return null;
  return html`<div class="absent" role="status">
    ${asked && html`<p>${asked} <${Countdown} entry=${ownEntry(state.table)} text=${secondsLeft} /></p>`}
    ${missed.length > 0 && html`<${Missed} key=${missed[0].seat} missed=${missed} state=${state} act=${act} />`}</div>`;
}

/**
 * One notice about all of them, as a small screen has no room for more; the choice is about the first.
 * @param {{ missed: (AbsentPlayer & { away: boolean })[], state: Shown, act: Actions }} props
 */
function Missed({ missed, state, act }) {
  const [entry] = missed;
  const { seat, v } = entry;
  return html`<div>
    <p>${waitingFor(missed, state)}
      <${Countdown} entry=${entry} text=${secondsToChoice} /></p>
    <p class="absent-buttons">
      ${
        entry.can_stand_in &&
        html`<button type="button" class="secondary"
        onClick=${() => act.wish("stand_in", { seat, v })}>${gettext("Let the computer play")}</button>`
      }
      ${
        entry.can_claim &&
        html`<button type="button" class="secondary"
        onClick=${() => act.wish("claim_win", { seat, v })}>${gettext("Claim the win")}</button>`
      }
      ${(entry.can_stand_in || entry.can_claim) && html`<span>${gettext("or keep waiting")}</span>`}
    </p></div>`;
}

/**
 * Says whom this player waits for, in a sentence.
 * @param {(AbsentPlayer & { away: boolean })[]} missed
 * @param {Named} state
 */
export function waitingFor(missed, state) {
  const names = nameList(
    state,
    missed.map(({ seat }) => seat),
  );
  if (missed.every(({ away }) => away)) {
    return missed.length > 1
      ? gettext("Waiting for %(names)s to reconnect.", { names })
      : gettext("Waiting for %(name)s to reconnect.", { name: names });
  }
  if (missed.length > 1) return gettext("Waiting for %(names)s.", { names });
  return gettext("%(name)s hasn't played for a while.", { name: names });
}

/** @param {number} n */
export const secondsToChoice = (n) =>
  ngettext("You can go on in %(n)s second.", "You can go on in %(n)s seconds.", n);

/** @param {number} n */
const secondsLeft = (n) => ngettext("%(n)s second left", "%(n)s seconds left", n);

/**
 * The seconds until there is a choice, shown but not announced; the choice itself is announced.
 * @param {{ entry: AbsentPlayer, text: (seconds: number) => string }} props
 */
function Countdown({ entry, text }) {
  const [passed, setPassed] = useState(0);
  useEffect(() => {
    setPassed(0);
    const ticking = setInterval(() => setPassed((seconds) => seconds + 1), 1000);
    return () => clearInterval(ticking);
  }, [entry.v, entry.offer_in]);
  if (entry.offer_in === null) return null;
  const all = Math.max(1, Math.ceil(entry.offer_in));
  const left = Math.max(1, all - passed);
  return html`<span class="grace" aria-hidden="true">${text(left)}<span class="grace-bar" style=${{ "--left": left / all }}></span></span>`;
}
