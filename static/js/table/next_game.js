/* The next game of a club night or tournament, for players who still read the result of their last
   one: its clock runs, too. */

import { html, useEffect, useState } from "../../vendor/preact/preact.js";
import { gettext } from "../text/translations.js";

const POLL_MS = 4000;

/**
 * Ask until the reader's next game has begun, or none is to come; return its table, "" for none.
 * @param {object} parts
 * @param {(address: string) => Promise<{ ok: boolean, status: number, json(): Promise<{ table: string, waits: boolean }> }>} parts.load
 * @param {string} parts.address
 * @param {(ms: number) => Promise<unknown>} parts.wait
 * @param {() => boolean} parts.stopped
 * @returns {Promise<string>}
 */
export async function nextTable({ load, address, wait, stopped }) {
  while (!stopped()) {
    await wait(POLL_MS);
    const answer = await load(address).catch(() => null);
    if (answer?.ok) {
      const { table, waits } = await answer.json();
      if (table || !waits) return table;
    } else if (answer && answer.status < 500) return "";
  }
  return "";
}

/**
 * The way to the next game; nothing before it has begun. `address` says where to ask, "" not to.
 * @param {{ address: string }} props
 */
export function NextGame({ address }) {
  const [table, setTable] = useState("");
  useEffect(() => {
    let left = !address;
    nextTable({
      load: (from) => fetch(from, { credentials: "same-origin", cache: "no-store" }),
      address,
      wait: (ms) => new Promise((done) => setTimeout(done, ms)),
      stopped: () => left,
    }).then((found) => left || setTable(found));
    return () => {
      left = true;
    };
  }, [address]);
  return html`<p class="next-game" role="status">${
    table &&
    html`<span>${gettext("Your next game has begun.")}</span>
      <a class="primary" href=${table}>${gettext("Go to your table")}</a>`
  }</p>`;
}
