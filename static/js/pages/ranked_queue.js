/* The ranked queue: polls every two seconds and goes to the table once there is one. All text is in
   the page already and is only shown or hidden here. */

import { dataOf, one } from "../ui/dom.js";

const POLL_MS = 2000;
const TICK_MS = 250;
const MOST_UNKNOWN = 5; // polls in a row whose session the server doesn't know

const queue = one(document, "[data-queue]", HTMLElement);
/** @param {string} name */
const part = (name) => one(queue, `[data-${name}]`, HTMLElement);
const token = one(queue, "[name=csrfmiddlewaretoken]", HTMLInputElement).value;
let accepted = false; // whether the server has taken this page's token
let unknown = 0;
const began = performance.now() - Number(queue.dataset.waited) * 1000;

function showTime() {
  const seconds = Math.floor((performance.now() - began) / 1000);
  const minutes = Math.floor(seconds / 60);
  part("time").textContent = `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
}

async function ask() {
  const answer = await fetch(dataOf(queue, "state"), {
    method: "POST",
    headers: { "X-CSRFToken": token, Accept: "application/json" },
  });
  // Logging in with another tab changes the token. If a page's first request is refused, a new page
  // would not help.
  if (answer.status === 403 && accepted) loadAgain();
  // A login in another tab has ended this page's session before it is answered.
  unknown = answer.status === 401 ? unknown + 1 : 0;
  if (unknown === MOST_UNKNOWN) loadAgain();
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  accepted = true;
  return answer.json();
}

/**
 * Loads the page again, a moment later: the answer to a login in another tab may not have come yet. If
 * its player no longer waits, it says so.
 */
function loadAgain() {
  setTimeout(() => location.replace(dataOf(queue, "gone")), POLL_MS);
}

/** @param {{ offer: boolean, others: number }} props */
function show({ offer, others }) {
  part("offer").hidden = !offer;
  part("others").hidden = others === 0;
  part("number").textContent = String(others);
}

/** Polls once; returns whether to keep waiting. */
async function look() {
  try {
    const standing = await ask();
    part("trouble").hidden = true;
    if (standing.waiting) {
      show(standing);
      return true;
    }
    if (standing.table) location.assign(standing.table);
    else loadAgain();
    return false;
  } catch {
    part("trouble").hidden = false;
    return true;
  }
}

async function keepLooking() {
  if (await look()) setTimeout(keepLooking, POLL_MS);
}

// The Back button may show the page as it was left, and it would ask no more. It is loaded without the
// parameter of its address with which the server sends a player on to the table.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.replace(dataOf(queue, "here"));
});
part("plain").hidden = true;
setInterval(showTime, TICK_MS);
showTime();
keepLooking();
