/* The review page while it is being worked out: what is new comes in by itself. */

const POLL_MS = 400;
const SLOW_MS = 2500; // after an answer that did not come, or a long queue

const UNFINISHED = new Set(["working", "busy"]);

let page = document.querySelector("[data-review]");
let done = Number(page.dataset.done);

async function look() {
  try {
    const answer = await fetch(page.dataset.state, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(`${answer.status} at ${answer.url}`);
    const state = await answer.json();
    const ended = !UNFINISHED.has(state.status);
    if (ended || state.done > done) await show();
    if (!ended) setTimeout(look, state.status === "busy" ? SLOW_MS : POLL_MS);
  } catch {
    setTimeout(look, SLOW_MS);
  }
}

/** Put the page as it is by now in place of the one shown, and leave open what was opened. */
async function show() {
  const answer = await fetch(location.href);
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const found = fresh.querySelector("[data-review]");
  if (!found) return;
  const open = [...page.querySelectorAll(".decision:has(details[open])")].map(({ id }) => id);
  const focused = document.activeElement?.closest("[id]")?.id;
  const placed = document.importNode(found, true);
  page.replaceWith(placed);
  page = placed;
  done = Number(page.dataset.done);
  for (const id of open)
    document.getElementById(id)?.querySelector("details")?.setAttribute("open", "");
  if (focused) document.getElementById(focused)?.querySelector("a, summary")?.focus();
}

if (UNFINISHED.has(page.dataset.status)) setTimeout(look, POLL_MS);
