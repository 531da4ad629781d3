/* The waiting table: the friends who are here, to be asked with one click. */

import { html, useEffect } from "../vendor/preact/preact.js";
import { gettext } from "./texts.js";

const AGAIN = 12000; // milliseconds until it is asked again who is here, and who has answered

export function FriendsHere({ state, act }) {
  useEffect(() => {
    act.wish("friends");
    const asking = setInterval(() => !document.hidden && act.wish("friends"), AGAIN);
    return () => clearInterval(asking);
  }, []);
  if (!state.friends.length) return null;
  const invite = (player) => {
    act.wish("invite", { player });
    act.wish("friends");
  };
  return html`<div class="friends-here"><p>${gettext("Friends who are online")}</p>
    <ul>${state.friends.map(
      (friend) => html`<li key=${friend.player}><b>${friend.name}</b>
      ${
        friend.asked || friend.declined
          ? html`<span>${friend.declined ? gettext("cannot come now") : gettext("asked…")}</span>`
          : html`<button type="button" class="secondary" onClick=${() => invite(friend.player)}>${gettext("Invite")}<span class="unseen"> ${friend.name}</span></button>`
      }</li>`,
    )}</ul></div>`;
}
