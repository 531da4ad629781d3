/* The buttons that switch messages in this browser on and off. */

import { canPush, digestOf, present, subscribe, unsubscribe } from "../push.js";
import { gettext } from "../texts.js";

const panel = document.querySelector("[data-push]");
const on = panel.querySelector("[data-push-on]");
const off = panel.querySelector("[data-push-off]");
const said = panel.querySelector("[data-push-said]");
const token = panel.querySelector("[name=csrfmiddlewaretoken]").value;
const known = new Set(JSON.parse(panel.dataset.known));

function show(subscribed, text) {
  on.hidden = subscribed;
  off.hidden = !subscribed;
  said.textContent = text;
}

async function act(work, subscribed, text) {
  on.disabled = off.disabled = true;
  try {
    await work();
    show(subscribed, text);
  } catch (error) {
    said.textContent = error.message;
  }
  on.disabled = off.disabled = false;
}

async function start() {
  if (!canPush()) return;
  const made = await present();
  const subscribed = made !== null && known.has(await digestOf(made.endpoint));
  show(subscribed, subscribed ? gettext("Messages are shown in this browser.") : "");
}

const { key, subscribe: address, unsubscribe: back } = panel.dataset;
on.addEventListener("click", () =>
  act(
    () => subscribe({ key, address, token }),
    true,
    gettext("Messages are shown in this browser from now on."),
  ),
);
off.addEventListener("click", () =>
  act(
    () => unsubscribe({ address: back, token }),
    false,
    gettext("No more messages in this browser."),
  ),
);
start();
