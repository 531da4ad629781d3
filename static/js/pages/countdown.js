/* A countdown to a moment that the server gave as seconds from now, so that clocks which are wrong do
   not matter. Shown only while there is time left. */

const TICK_MS = 1000;
const HOUR = 3600;

/**
 * Seconds as "1:02:03", or "2:03" below an hour.
 * @param {number} seconds
 */
export function clockTime(seconds) {
  const parts = [Math.floor((seconds % HOUR) / 60), seconds % 60];
  if (seconds >= HOUR) parts.unshift(Math.floor(seconds / HOUR));
  return parts.map((part, at) => (at ? String(part).padStart(2, "0") : String(part))).join(":");
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
    left.textContent = clockTime(Math.max(0, seconds));
    if (seconds > 0 && shown.isConnected) setTimeout(tick, TICK_MS);
  };
  tick();
}
