/* Looks for a result that is not ready yet, less and less often, and shows it. */

import { dataOf, one } from "../ui/dom.js";

/** Pauses in seconds before each look; after the last one the reader has to refresh the page. */
export const PAUSES = [2, 2, 2, 3, 5, 8, 13, 20, 30, 60, 120];

/**
 * Look until it is ready; return whether it is.
 * @param {() => Promise<boolean>} look
 * @param {(seconds: number) => Promise<void>} pause
 */
export async function becomesReady(look, pause) {
  for (const seconds of PAUSES) {
    await pause(seconds);
    if (await look()) return true;
  }
  return false;
}

/** Whether the address shows something else now; a failed request tells nothing. */
async function look() {
  try {
    const answer = await fetch(location.href);
    return answer.ok && !(await answer.text()).includes("data-pending-result");
  } catch {
    return false;
  }
}

/** @param {number} seconds */
const pause = (seconds) =>
  new Promise((/** @type {(value: void) => void} */ resolve) => {
    setTimeout(resolve, 1000 * seconds);
  });

async function wait() {
  const status = one(document, "[data-pending-result]", HTMLElement);
  if (await becomesReady(look, pause)) location.reload();
  else status.textContent = dataOf(status, "late");
}

if (globalThis.document) wait();
