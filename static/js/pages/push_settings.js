/* The buttons that turn web push on and off in this browser. */

import { csrfToken } from "../net/csrf.js";
import { canPush, digestOf, isFor, present, subscribe, unsubscribe } from "../net/web_push.js";
import { gettext } from "../text/translations.js";
import { dataOf, one } from "../ui/dom.js";

const READY_MS = 10_000;

const panel = one(document, "[data-push]", HTMLElement);
const on = one(panel, "[data-push-on]", HTMLButtonElement);
const off = one(panel, "[data-push-off]", HTMLButtonElement);
const said = one(panel, "[data-push-said]", HTMLElement);
const known = new Set(JSON.parse(dataOf(panel, "known")));

/**
 * @param {boolean} subscribed
 * @param {string} text
 */
function show(subscribed, text) {
  on.hidden = subscribed;
  off.hidden = !subscribed;
  said.textContent = text;
}

/**
 * @param {() => Promise<unknown>} work
 * @param {boolean} subscribed
 * @param {string} text
 */
async function act(work, subscribed, text) {
  on.disabled = off.disabled = true;
  try {
    await work();
    show(subscribed, text);
  } catch (error) {
    said.textContent = error instanceof Error ? error.message : String(error);
  }
  on.disabled = off.disabled = false;
}

/** Say that the browser's service worker, which receives notifications, doesn't start. */
function blame() {
  said.textContent = gettext(
    "Notifications don't start in this browser. Reload the page to try again.",
  );
}

async function start() {
  if (!canPush()) return;
  said.textContent = gettext("One moment…");
  const slow = setTimeout(blame, READY_MS); // if it can't be installed, it never becomes ready
  const made = await present();
  clearTimeout(slow);
  const subscribed = made !== null && isFor(made, key) && known.has(await digestOf(made.endpoint));
  show(subscribed, subscribed ? gettext("Notifications are on in this browser.") : "");
}

const key = dataOf(panel, "key");
const address = dataOf(panel, "subscribe");
const back = dataOf(panel, "unsubscribe");
on.addEventListener("click", () =>
  act(
    () => subscribe({ key, address, token: csrfToken(panel) }),
    true,
    gettext("Notifications are now on in this browser."),
  ),
);
off.addEventListener("click", () =>
  act(
    () => unsubscribe({ address: back, token: csrfToken(panel) }),
    false,
    gettext("Notifications are now off in this browser."),
  ),
);
start().catch(blame);
