/* Friends who are online, whom the creator of a waiting table can invite with one click. */

import { html, useEffect } from "../../vendor/preact/preact.js";
import { gettext } from "../text/translations.js";

/** @import { Actions, Shown } from "./types.js" */

const POLL = 12000; // milliseconds between two requests for the list

/** @param {{ state: Shown, act: Actions }} props */
export function FriendsHere({ state, act }) {
  useEffect(() => {
    act.wish("friends");
    const asking = setInterval(() => !document.hidden && act.wish("friends"), POLL);
    return () => clearInterval(asking);
  }, []);
  if (!state.friends.length) return null;
  /** @param {string} player */
  const invite = (player) => {
    act.wish("invite", { player });
    act.wish("friends");
  };
  return html`<div class="friends-here"><p>${gettext("Friends online")}</p>
    <ul>${state.friends.map(
      (friend) => html`<li key=${friend.player}><b>${friend.name}</b>
      ${
        friend.asked || friend.declined
          ? html`<span>${friend.declined ? gettext("can't join now") : gettext("invited…")}</span>`
          : html`<button type="button" class="secondary" onClick=${() => invite(friend.player)}>${gettext("Invite")}<span class="unseen"> ${friend.name}</span></button>`
      }</li>`,
    )}</ul></div>`;
}
