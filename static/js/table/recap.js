/* The recap of a finished match. The server renders it; while jobs still compute a part of it, it is
   fetched again. */

import { html, useEffect, useRef, useState } from "../../vendor/preact/preact.js";
import { gettext } from "../text/translations.js";

const FIRST_MS = 400; // the job that follows a match usually needs less than a second
const SLOWER = 1.4;
const LONGEST_MS = 5000;
const TRIES = 40; // about three minutes

/** The text of a part that is not complete yet. */
export const PENDING = "data-pending";

/**
 * Fetch a recap until it is complete, and pass each version to `show`.
 * @param {object} parts
 * @param {(address: string) => Promise<{ ok: boolean, status: number, text(): Promise<string> }>} parts.load
 * @param {string} parts.address
 * @param {(text: string) => void} parts.show
 * @param {(ms: number) => Promise<unknown>} parts.wait
 * @param {() => boolean} parts.stopped
 * @returns {Promise<boolean>} whether there is a recap
 */
export async function follow({ load, address, show, wait, stopped }) {
  let found = false;
  let pause = FIRST_MS;
  for (let tries = 0; tries < TRIES && !stopped(); tries++) {
    const answer = await load(address).catch(() => null);
    if (stopped()) break;
    if (answer?.ok) {
      const text = await answer.text();
      found = true;
      show(text);
      if (!text.includes(PENDING)) break;
    } else if (answer && answer.status < 500) break;
    await wait(pause);
    pause = Math.min(pause * SLOWER, LONGEST_MS);
  }
  return found;
}

/**
 * The recap; `children` are shown instead if there is none.
 * @param {{ match: string, children?: unknown }} props
 */
export function Recap({ match, children }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const [text, setText] = useState("");
  const [gone, setGone] = useState(false);
  const [said, setSaid] = useState("");
  useEffect(() => {
    let left = false;
    follow({
      load: (address) => fetch(address, { credentials: "same-origin" }),
      address: `/matches/${match}/recap/`,
      show: setText,
      wait: (ms) => new Promise((done) => setTimeout(done, ms)),
      stopped: () => left,
    }).then((found) => !left && setGone(!found));
    return () => {
      left = true;
    };
  }, [match]);
  useEffect(() => {
    if (place.current) setSaid(place.current.querySelector("[data-say]")?.textContent ?? "");
  }, [text]);
  if (gone) return html`<div class="recap">${children}</div>`;
  return html`<div class="recap">
    <div ref=${place} onClick=${share} dangerouslySetInnerHTML=${{ __html: text }}></div>
    ${!text && html`<p class="recap-wait">${gettext("One moment…")}</p>`}
    <p class="unseen" role="status">${said}</p>
  </div>`;
}

/**
 * Send the text of a share button to friends, else copy it, else show it.
 * @param {MouseEvent} event
 */
async function share(event) {
  const button = /** @type {Element} */ (event.target).closest("[data-share]");
  if (!(button instanceof HTMLElement)) return;
  const text = button.dataset.share ?? "";
  try {
    if (navigator.share) return await navigator.share({ text });
    await navigator.clipboard.writeText(text);
    button.textContent = gettext("Copied");
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return;
    const shown = document.createElement("pre");
    shown.className = "share";
    shown.textContent = text;
    button.replaceWith(shown);
  }
}
