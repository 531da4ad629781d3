/* The organiser's board: polls every few seconds and shows changes, but leaves the page alone while
   something is being typed or opened. The server answers 304 while nothing has changed. */

import { dataOf, one } from "../ui/dom.js";
import { refresh } from "../ui/fresh_part.js";
import { keepAsking, pause } from "../ui/keep_asking.js";

const part = one(document, "[data-board]", HTMLElement);
const trouble = one(document, "[data-trouble]", HTMLElement);
let tag = "";

/** Whether the organiser is using a form of the board. */
const busy = () =>
  part.querySelector("form :focus") !== null || part.querySelector("li details[open]") !== null;

async function look() {
  if (busy() || document.hidden) return true;
  const answer = await fetch(dataOf(part, "board"), {
    headers: tag ? { "If-None-Match": tag } : {},
    cache: "no-store",
  });
  if (answer.status === 304) return true;
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const text = await answer.text();
  if (busy()) return true; // the tag stays, so that this change is asked for again
  tag = answer.headers.get("ETag") ?? "";
  refresh(part, new DOMParser().parseFromString(text, "text/html").body);
  return true;
}

keepAsking({
  look,
  tell: (failing) => {
    trouble.hidden = !failing;
  },
  wait: pause,
});
