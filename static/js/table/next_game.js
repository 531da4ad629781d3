/* The next game of a club night or tournament, for players who still read a result or play another
   game: its clock runs, too. */

import { html, useEffect, useState } from "../../vendor/preact/preact.js";
import { gettext } from "../text/translations.js";

const POLL_S = 5;
const LONGEST_S = 60;
const TOO_MANY = 429;

/**
 * Tell of the reader's next table once its game has begun, and "" once that is over or another comes;
 * ask until no game is to come, as often as the server says, and less often while it can't answer. A
 * page that no one sees asks nothing.
 * @param {object} parts
 * @param {(address: string) => Promise<{ ok: boolean, status: number, json(): Promise<{ table: string, again: number }> }>} parts.load
 * @param {string} parts.address
 * @param {(table: string) => void} parts.tell
 * @param {(ms: number) => Promise<unknown>} parts.wait
 * @param {() => boolean} parts.stopped
 * @param {() => boolean} parts.hidden
 */
export async function followNext({ load, address, tell, wait, stopped, hidden }) {
  let seconds = POLL_S;
  let failures = 0; // in a row
  const pause = () => Math.min(seconds * 2 ** failures, LONGEST_S);
  for (; !stopped(); await wait(1000 * pause())) {
    if (hidden()) continue;
    const answer = await load(address).catch(() => null);
    if (answer && !answer.ok && answer.status < 500 && answer.status !== TOO_MANY) return;
    const told = answer?.ok ? await answer.json().catch(() => null) : null;
    failures = told ? 0 : failures + 1;
    if (!told || stopped()) continue;
    tell(told.table);
    if (!told.again) return;
    seconds = told.again;
  }
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
    followNext({
      load: (from) => fetch(from, { credentials: "same-origin", cache: "no-store" }),
      address,
      tell: setTable,
      wait: (ms) => new Promise((done) => setTimeout(done, ms)),
      stopped: () => left,
      hidden: () => document.hidden,
    });
    return () => {
      left = true;
    };
  }, [address]);
  if (!table) return null;
  return html`<p class="banner" role="status">${gettext("Your next game has begun.")} <a href=${table}>${gettext("Go to your table")}</a></p>`;
}
