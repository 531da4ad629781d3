/* The review page during the computation: polls for progress and shows what is new. */

import { dataOf, one } from "../ui/dom.js";
import { refresh } from "../ui/fresh_part.js";

const POLL_MS = 400;
const SLOW_MS = 2500; // after a failed request, or while the queue is long

const UNFINISHED = new Set(["working", "busy"]);

const page = one(document, "[data-review]", HTMLElement);
let done = Number(page.dataset.done);

async function look() {
  try {
    const answer = await fetch(dataOf(page, "state"), { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(`${answer.status} at ${answer.url}`);
    const state = await answer.json();
    const ended = !UNFINISHED.has(state.status);
    if (ended || state.done > done) await show();
    if (!ended) setTimeout(look, state.status === "busy" ? SLOW_MS : POLL_MS);
  } catch {
    setTimeout(look, SLOW_MS);
  }
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

if (UNFINISHED.has(dataOf(page, "status"))) setTimeout(look, POLL_MS);
