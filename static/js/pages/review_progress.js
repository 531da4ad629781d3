/* The review page during the computation: polls for progress and shows what is new. */

import { dataOf, one } from "../ui/dom.js";
import { refresh } from "../ui/fresh_part.js";
import { retryPause } from "../ui/retry_pause.js";

const POLL_MS = 400;
const SLOW_MS = 2500; // after a failed request, or while the queue is long

const UNFINISHED = new Set(["working", "busy", "retrying"]);

const page = one(document, "[data-review]", HTMLElement);
let done = Number(page.dataset.done);
let status = dataOf(page, "status");
let retries = 0; // how often in a row it was waiting for its next try

async function look() {
  try {
    const answer = await fetch(dataOf(page, "state"), { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(`${answer.status} at ${answer.url}`);
    const state = await answer.json();
    const ended = !UNFINISHED.has(state.status);
    if (ended || state.done > done || state.status !== status) await show();
    status = state.status;
    retries = state.status === "retrying" ? retries + 1 : 0;
    if (!ended) setTimeout(look, pause());
  } catch {
    setTimeout(look, SLOW_MS);
  }
}

function pause() {
  if (status === "retrying") return retryPause(retries);
  return status === "busy" ? SLOW_MS : POLL_MS;
}

/** Replace the shown review by the current one, keeping opened details and the focus. */
async function show() {
  const answer = await fetch(location.href);
  if (!answer.ok) throw new Error(`${answer.status} at ${answer.url}`);
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const found = fresh.querySelector("[data-review]");
  if (!(found instanceof HTMLElement)) return;
  refresh(page, found);
  Object.assign(page.dataset, found.dataset);
  done = Number(page.dataset.done);
}

if (UNFINISHED.has(status)) setTimeout(look, POLL_MS);
