/* What the table page shows instead of a table that the server refuses: none, a private one, or the
   player's own after their login has ended. */

import { html } from "../../vendor/preact/preact.js";
import { gettext } from "../text/translations.js";

/** @import { TableState } from "./types.js" */

const NOT_FOUND = 4404;

/**
 * Why there is no table. A seated player who is forbidden to come back after a lost connection was
 * logged out meanwhile. On an open connection they have lost the seat, as by leaving in another tab.
 * @param {Pick<TableState, "refused" | "refusedAgain" | "bye" | "view">} state
 * @returns {"missing" | "logged_out" | "private"}
 */
export function reasonOf({ refused, refusedAgain, bye, view }) {
  if (refused === NOT_FOUND) return "missing";
  const seated = view !== null && view.seat !== null;
  return bye?.code === "logged_out" || (seated && refusedAgain) ? "logged_out" : "private";
}

/**
 * The log-in page that leads back to this table.
 * @param {{ pathname: string, search: string }} address
 */
export function logInAddress({ pathname, search }) {
  return `/accounts/login/?next=${encodeURIComponent(pathname + search)}`;
}

/** @param {{ state: TableState }} props */
export function Refused({ state }) {
  const reason = reasonOf(state);
  return html`<div class="refused">
    <header class="bar"><a class="home" href="/">${gettext("Cribbage")}</a></header>
    <div class="refused-felt">
      <section class="refused-card" role="alert">
        ${reason === "logged_out" ? html`<${LoggedOut} />` : html`<${NoTable} reason=${reason} />`}
      </section>
    </div>
  </div>`;
}

function LoggedOut() {
  return html`<h1>${gettext("You're logged out")}</h1>
    <p>${gettext("If you have an account, log in to return to this table.")}</p>
    <p class="refused-ways"><a class="primary" href=${logInAddress(location)}>${gettext("Log in")}</a>
      <a class="secondary" href="/">${gettext("Go to the home page")}</a></p>`;
}

/** @param {{ reason: "missing" | "private" }} props */
function NoTable({ reason }) {
  const title =
    reason === "missing"
      ? gettext("This table doesn't exist.")
      : gettext("This table is private. Ask for an invitation.");
  return html`<p class="refused-why">${title}</p>
    <p class="refused-ways"><a class="primary" href="/">${gettext("Go to the home page")}</a></p>`;
}
