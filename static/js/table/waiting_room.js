/* The waiting room: players, invitations, and computer players for empty seats. */

import { html, useState } from "../../vendor/preact/preact.js";
import { gettext } from "../text/translations.js";
import { one } from "../ui/dom.js";
import { HostName } from "./host_name.js";
import { FriendsHere } from "./online_friends.js";

/** @import { Actions, Shown } from "./types.js" */
/** @import { TableSeat } from "../net/messages.js" */

/** @param {{ state: Shown, act: Actions }} props */
export function WaitingRoom({ state, act }) {
  const { table } = state;
  const own = table.seats[table.you ?? -1];
  const link = table.invite ? new URL(table.invite, location.href).href : null;
  return html`<div class="waiting panel-on-felt">
    <p class="panel-title">${gettext("Waiting for players")}</p>
    <div role="status">${table.creator && state.unlisted && html`<p>${gettext("This table has waited for a long time and has left the lobby. Close it and open a new one to be found there.")}</p>`}</div>
    ${link && own?.kind === "guest" && html`<${HostName} named=${own.name} />`}
    ${link && html`<${Invitation} link=${link} />`}
    ${link && own?.kind === "person" && html`<${FriendsHere} state=${state} act=${act} />`}
    <ul class="seats">${table.seats.map((seat) => html`<${Seat} key=${seat.seat} seat=${seat} state=${state} act=${act} />`)}</ul>
    ${state.afterwards && html`<p class="waiting-note">${state.afterwards} <a href="/shown/" target="_blank">${gettext("Change in settings")}</a></p>`}
    ${!link && html`<p>${gettext("Starts when every seat is taken.")}</p>`}
    ${own && html`<${LeaveRoom} creator=${table.creator} />`}
  </div>`;
}

/** @param {{ creator: boolean }} props */
function LeaveRoom({ creator }) {
  const { leave: address, csrf } = document.getElementById("table")?.dataset ?? {};
  if (!address || !csrf) return null;
  return html`<form method="post" action=${address}>
    <input type="hidden" name="csrfmiddlewaretoken" value=${csrf} />
    <button type="submit" class="quiet">${creator ? gettext("Close the table") : gettext("Leave the table")}</button>
  </form>`;
}

/** @param {{ seat: TableSeat, state: Shown, act: Actions }} props */
function Seat({ seat, state, act }) {
  const { table, levels } = state;
  const [level, choose] = useState(levels[0]?.[0] ?? "");
  const described = levels.find(([name]) => name === level)?.[2];
  if (seat.name) {
    return html`<li class=${`seat-${seat.seat}`}><span class="plate-peg" aria-hidden="true"></span>
      <b>${seat.seat === table.you ? gettext("You") : seat.name}</b> ${kindOf(seat)}</li>`;
  }
  return html`<li class=${`empty seat-${seat.seat}`}><span class="plate-peg" aria-hidden="true"></span>
    <span>${gettext("Empty seat")}</span>
    ${
      table.creator &&
      html`<span class="fill">
      ${
        levels.length > 1 &&
        html`<select aria-label=${gettext("Computer level")} value=${level}
        onChange=${(/** @type {On<HTMLSelectElement>} */ event) => choose(event.target.value)}>
        ${levels.map(([name, title]) => html`<option value=${name}>${title}</option>`)}</select>`
      }
      <button type="button" class="secondary" onClick=${() => act.wish("fill", { seat: seat.seat, level })}>
        ${gettext("Add a computer")}</button>
      <small class="fill-level">${described}</small></span>`
    }
  </li>`;
}

/**
 * The label of a player that is not a person: the site's computer or someone's program.
 * @param {TableSeat} seat
 */
function kindOf(seat) {
  if (seat.owner) return gettext("(%(name)s's program)", { name: seat.owner });
  return seat.kind === "computer" ? gettext("(computer)") : "";
}

/** @param {{ link: string }} props */
function Invitation({ link }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      setCopied(true);
    } catch {
      one(document, "#invite-link", HTMLInputElement).select();
    }
  };
  const share = () => navigator.share({ title: gettext("Cribbage"), url: link }).catch(() => {});
  return html`<div class="invitation">
    <label for="invite-link">${gettext("Send this link to a friend")}</label>
    <div class="invitation-row">
      <input id="invite-link" readonly value=${link} onFocus=${(/** @type {On<HTMLInputElement>} */ event) => event.target.select()} />
      <button type="button" class="primary" onClick=${copy}>${copied ? gettext("Copied") : gettext("Copy link")}</button>
      ${"share" in navigator && html`<button type="button" class="secondary" onClick=${share}>${gettext("Share")}</button>`}
    </div>
    <details class="invitation-code more">
      <summary>${gettext("Show QR code")}</summary>
      <img src=${`${link}qr.svg`} width="216" height="216" loading="lazy"
        alt=${gettext("QR code of the invitation link")} />
    </details>
    <p role="status" class="unseen">${copied ? gettext("Link copied") : ""}</p>
  </div>`;
}
