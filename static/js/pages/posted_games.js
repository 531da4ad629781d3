/* The lobby's list of posted correspondence games: polls every few seconds and shows changes, but
   leaves the list alone while it has the focus. The server answers 304 while nothing has changed. */

import { localise } from "../text/local_time.js";
import { dataOf, one } from "../ui/dom.js";

const ASK_MS = 10_000; // such a game is open for days

/** Keeps the list of a page up to date; a failed request is repeated like any other. */
export function followPostedGames() {
  const part = one(document, "[data-posted]", HTMLElement);
  let tag = dataOf(part, "tag");

  const busy = () => part.contains(document.activeElement);

  async function look() {
    if (busy() || document.hidden) return;
    const answer = await fetch(dataOf(part, "posted"), {
      headers: { "If-None-Match": tag },
      cache: "no-store",
    });
    if (!answer.ok) return; // 304, or a fault that passes
    const text = await answer.text();
    if (busy()) return; // the tag stays, so that this change is asked for again
    tag = answer.headers.get("ETag") ?? "";
    part.replaceChildren(...new DOMParser().parseFromString(text, "text/html").body.childNodes);
    localise(part);
  }

  async function keepLooking() {
    try {
      await look();
    } catch {
      // No connection: the line above the open tables says so.
    }
    setTimeout(keepLooking, ASK_MS);
  }

  setTimeout(keepLooking, ASK_MS);
}
