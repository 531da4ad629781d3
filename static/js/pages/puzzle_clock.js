/* The clock of a puzzle: counts down the seconds that the server gave, and then asks it for the result. */

import { one } from "../ui/dom.js";

const TICK_MS = 250;
/** Until the server has passed the end, too. */
const LATE_MS = 2500;

const clock = document.querySelector("[data-countdown]");

if (clock instanceof HTMLElement) {
  const shown = one(clock, "[data-left]", HTMLElement);
  const end = performance.now() + Number(clock.dataset.countdown) * 1000;
  const tick = () => {
    const seconds = Math.max(0, Math.ceil((end - performance.now()) / 1000));
    shown.textContent = String(seconds);
    clock.classList.toggle("clock-short", seconds <= 10);
    if (seconds > 0) setTimeout(tick, TICK_MS);
    else setTimeout(() => location.replace(location.pathname + location.search), LATE_MS);
  };
  tick();
}
