/* A countdown to a moment that the server gave as seconds from now, so that clocks which are wrong do
   not matter. Shown only while there is time left. */

import { pageLanguage } from "../text/local_time.js";

const TICK_MS = 1000;
const HOUR = 3600;
const DAY = 24 * HOUR;

/**
 * Seconds as "1:02:03", or "2:03" below an hour.
 * @param {number} seconds
 */
function clockTime(seconds) {
  const parts = [Math.floor((seconds % HOUR) / 60), seconds % 60];
  if (seconds >= HOUR) parts.unshift(Math.floor(seconds / HOUR));
  return parts.map((part, at) => (at ? String(part).padStart(2, "0") : String(part))).join(":");
}

/**
 * The time left: "7 days", within two days "38 hours", within a day "1:02:03".
 * @param {number} seconds
 * @param {string} [language] as for Intl
 */
export function timeLeft(seconds, language) {
  if (seconds < DAY) return clockTime(seconds);
  const form = new Intl.RelativeTimeFormat(language);
  // Of a night tomorrow, "2 days" would name the wrong evening.
  const parts =
    seconds < 2 * DAY
      ? form.formatToParts(Math.floor(seconds / HOUR), "hour")
      : form.formatToParts(Math.round(seconds / DAY), "day");
  // "in 7 days" without its "in", which the page says: in German the days then have their case.
  const from = parts.findIndex((part) => part.type === "integer");
  return parts
    .slice(from)
    .map((part) => part.value)
    .join("");
}

/**
 * Start the countdown below `root`, if it has one.
 * @param {ParentNode} root
 */
export function countDown(root) {
  /** @type {HTMLElement | null} */
  const shown = root.querySelector("[data-countdown]");
  const left = shown?.querySelector("[data-left]");
  if (!shown || !left) return;
  const end = performance.now() + Number(shown.dataset.countdown) * 1000;
  const tick = () => {
    const seconds = Math.ceil((end - performance.now()) / 1000);
    shown.hidden = seconds <= 0;
    left.textContent = timeLeft(Math.max(0, seconds), pageLanguage());
    if (seconds > 0 && shown.isConnected) setTimeout(tick, TICK_MS);
  };
  tick();
}
