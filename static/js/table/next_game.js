/* The next game of a club night or tournament, for players who still read a result or play another
   game: its clock runs, too. */

import { html, useEffect, useState } from "../../vendor/preact/preact.js";
import { gettext } from "../text/translations.js";

const POLL_MS = 5000;

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
    const answer = await load(address).catch(() => null);
    if (answer?.ok) {
      const { table, waits } = await answer.json();
      if (table || !waits) return table;
    } else if (answer && answer.status < 500) return "";
    await wait(POLL_MS);
  }
  return "";
}

/**
 * The way to the next game, once it has begun. The page says where to ask, if one may come, and
 * whether it may come before the match at this table is `over`.
 * @param {{ over: boolean }} props
 */
export function NextGame({ over }) {
  const [table, setTable] = useState("");
  const { next = "", early } = document.getElementById("expected")?.dataset ?? {};
  const address = over || early !== undefined ? next : "";
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
  if (!table) return null;
  return html`<p class="banner" role="status">${gettext("Your next game has begun.")} <a href=${table}>${gettext("Go to your table")}</a></p>`;
}
