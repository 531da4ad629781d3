/* The waiting room: who is here, how to invite, and the computer for an empty seat; and the panel
   for a player who is away in the middle of a match. */

import { html, useEffect, useState } from "../vendor/preact/preact.js";
import { plainName } from "./ask.js";
import { FriendsHere } from "./friends-here.js";
import { gettext, ngettext } from "./texts.js";

export function WaitingRoom({ state, act }) {
  const { table } = state;
  const link = table.invite ? new URL(table.invite, location.href).href : null;
  return html`<div class="waiting panel-on-felt">
    <p class="panel-title">${gettext("Waiting for players")}</p>
    ${link && html`<${Invitation} link=${link} />`}
    ${link && table.seats[table.you]?.kind === "person" && html`<${FriendsHere} state=${state} act=${act} />`}
    <ul class="seats">${table.seats.map((seat) => html`<${Seat} key=${seat.seat} seat=${seat} state=${state} act=${act} />`)}</ul>
    ${!link && html`<p>${gettext("The game begins when every seat is taken.")}</p>`}
  </div>`;
}

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
        html`<select aria-label=${gettext("Level of the computer")} value=${level}
        onChange=${(event) => choose(event.target.value)}>
        ${levels.map(([name, title]) => html`<option value=${name}>${title}</option>`)}</select>`
      }
      <button type="button" class="secondary" onClick=${() => act.wish("fill", { seat: seat.seat, level })}>
        ${gettext("Add computer")}</button>
      <small class="fill-level">${described}</small></span>`
    }
  </li>`;
}

/** What a player is, where it is not a person: the site's computer, or somebody's program. */
function kindOf(seat) {
  if (seat.owner) return gettext("(program of %(name)s)", { name: seat.owner });
  return seat.kind === "computer" ? gettext("(computer)") : "";
}

function Invitation({ link }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      setCopied(true);
    } catch {
      document.getElementById("invite-link").select();
    }
  };
  const share = () => navigator.share({ title: gettext("Cribbage"), url: link }).catch(() => {});
  return html`<div class="invitation">
    <label for="invite-link">${gettext("Send this link to whom you want to play with")}</label>
    <div class="invitation-row">
      <input id="invite-link" readonly value=${link} onFocus=${(event) => event.target.select()} />
      <button type="button" class="primary" onClick=${copy}>${copied ? gettext("Copied") : gettext("Copy link")}</button>
      ${navigator.share && html`<button type="button" class="secondary" onClick=${share}>${gettext("Share")}</button>`}
    </div>
    <details class="invitation-code">
      <summary>${gettext("Show it as a QR code")}</summary>
      <img src=${`${link}qr.svg`} width="216" height="216" loading="lazy"
        alt=${gettext("A QR code with the same link, for the camera of a phone")} />
    </details>
    <p role="status" class="unseen">${copied ? gettext("The link was copied") : ""}</p>
  </div>`;
}

/** Somebody who must act is away: how long, and what the others may choose. */
export function Absent({ state, act }) {
  const { table, model } = state;
  const absent = (table?.absent ?? []).filter((entry) => entry.seat !== model.me);
  if (!absent.length || model.me === null || table.status !== "playing") return null;
  return html`<div class="absent" role="status">${absent.map(
    (entry) => html`<div key=${entry.seat}>
    <p>${gettext("Waiting for %(name)s to reconnect.", { name: plainName(state, entry.seat) })}
      ${entry.offer_in > 0 && html`<${Grace} entry=${entry} />`}</p>
    <p class="absent-buttons">
      ${
        entry.can_stand_in &&
        html`<button type="button" class="secondary"
        onClick=${() => act.wish("stand_in", { seat: entry.seat })}>${gettext("Let the computer play on")}</button>`
      }
      ${
        entry.can_claim &&
        html`<button type="button" class="secondary"
        onClick=${() => act.wish("claim_win", { seat: entry.seat })}>${gettext("Claim the game")}</button>`
      }
      ${(entry.can_stand_in || entry.can_claim) && html`<span>${gettext("or just wait")}</span>`}
    </p></div>`,
  )}</div>`;
}

/** The seconds until there is a choice, counted down for the eye: the choice itself is spoken. */
function Grace({ entry }) {
  const [passed, setPassed] = useState(0);
  useEffect(() => {
    setPassed(0);
    const ticking = setInterval(() => setPassed((seconds) => seconds + 1), 1000);
    return () => clearInterval(ticking);
  }, [entry]);
  const left = Math.max(1, Math.ceil(entry.offer_in) - passed);
  return html`<span class="grace" aria-hidden="true">${ngettext(
    "You can choose in %(n)s second.",
    "You can choose in %(n)s seconds.",
    left,
  )}</span>`;
}
