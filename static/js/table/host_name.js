/* Asks a guest for a name before they send an invitation, so that it does not come from
   "Visitor PBCX". Shown on the waiting card while the page has the address to send it to. */

import { html, useState } from "../../vendor/preact/preact.js";
import { gettext } from "../text/translations.js";

const LONGEST = 20; // letters of a name

/**
 * @param {string} address
 * @param {string} token
 * @param {string} name
 * @returns {Promise<string>} why the name was refused, or ""
 */
async function rename(address, token, name) {
  const body = new URLSearchParams({ name, csrfmiddlewaretoken: token });
  const answer = await fetch(address, { method: "POST", body });
  if (answer.ok) return "";
  if (answer.status === 403) location.reload(); // logged in with another tab, under another name
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const reason = page.querySelector(".field-error")?.textContent?.trim().replace(/\s+/g, " ");
  return reason || gettext("That didn't work. Please try again.");
}

/** @param {{ named: string }} props `named`: the present name, to leave as it is. */
export function HostName({ named }) {
  const { name: address, csrf } = document.getElementById("table")?.dataset ?? {};
  const [typed, type] = useState("");
  const [fault, blame] = useState("");
  const [sending, send] = useState(false);
  const [saved, keep] = useState(false);
  if (!address || !csrf) return null;
  /** @param {Event} event */
  const submit = async (event) => {
    event.preventDefault();
    if (!typed.trim() || sending) return;
    send(true);
    const reason = await rename(address, csrf, typed).catch(() =>
      gettext("Connection lost. Try again."),
    );
    blame(reason);
    keep(!reason);
    send(false);
  };
  return html`<form class="invitation host-name" onSubmit=${submit}>
    <label for="host-name">${gettext("Your name on the invitation")}</label>
    <div class="invitation-row">
      <input id="host-name" autocomplete="nickname" maxlength=${LONGEST} value=${typed} placeholder=${named}
        aria-describedby="host-name-fault"
        onInput=${(/** @type {On<HTMLInputElement>} */ event) => type(event.target.value)} />
      <button type="submit" class="secondary" aria-disabled=${sending ? "true" : undefined}>${saved ? gettext("Saved") : gettext("Save name")}</button>
    </div>
    <p id="host-name-fault" role="status">${fault}</p>
  </form>`;
}
