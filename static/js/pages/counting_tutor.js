/* The counting tutor without reloading the page: a form's answer replaces the hand, the tutor's
   comment is announced, and the focus moves to the next useful control. */

import { csrfToken } from "../net/csrf.js";
import { dataOf, one } from "../ui/dom.js";

const FAULT = 500; // also of a proxy while the server restarts

const hand = () => one(document, "[data-counting]", HTMLElement);
const spoken = one(document, "[data-spoken]", HTMLElement);

/**
 * The control to focus after an answer: the button that was pressed, the total, or the next hand.
 * @param {Element} fresh
 * @param {HTMLButtonElement} pressed
 */
function goOn(fresh, pressed) {
  /** @type {(selector: string) => HTMLElement | null} */
  const find = (selector) => fresh.querySelector(selector);
  const again = pressed.value ? find(`button[value="${pressed.value}"]`) : null;
  const total = find("form.learn-total:not(details *) input[name='total']");
  const place = total ?? again ?? find(".learn-do a, .learn-do button");
  if (pressed.value !== "guess" && again && !total) {
    (find("input[name='cards']") ?? again).focus({ preventScroll: true });
  } else place?.focus({ preventScroll: true });
}

/**
 * @param {Document} page
 * @param {HTMLButtonElement} pressed
 */
function place(page, pressed) {
  const fresh = document.importNode(one(page, "[data-counting]", HTMLElement), true);
  const opened = hand().querySelector("details")?.open;
  hand().replaceWith(fresh);
  if (opened) fresh.querySelector("details")?.setAttribute("open", "");
  spoken.textContent = fresh.querySelector("[data-said]")?.textContent ?? "";
  goOn(fresh, pressed);
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  const pressed = event.submitter;
  if (!(form instanceof HTMLFormElement && pressed instanceof HTMLButtonElement)) return;
  if (!hand().contains(form)) return;
  event.preventDefault();
  const told = new FormData(form, pressed);
  told.set("csrfmiddlewaretoken", csrfToken(form));
  /** @type {Document} */
  let page;
  try {
    const answer = await fetch(location.href, { method: "POST", body: told });
    if (answer.status >= FAULT) throw new Error(`${answer.status} at ${answer.url}`);
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    say(dataOf(hand(), "lost")); // a page loaded anew would have lost what was found
    return;
  }
  if (page.querySelector("[data-counting]")) place(page, pressed);
  else location.reload();
});

/** @param {string} text */
function say(text) {
  const said = hand().querySelector("[data-said]") ?? document.createElement("p");
  said.className = "learn-said learn-bad";
  said.setAttribute("data-said", "");
  said.textContent = text;
  if (!said.isConnected) one(hand(), "form", HTMLFormElement).append(said);
  spoken.textContent = text;
}

/**
 * Highlight the cards of a found line while the pointer is over it.
 * @param {PointerEvent} props
 */
function light({ target }) {
  const part = target instanceof Element ? target.closest("[data-part]") : null;
  const names = part?.getAttribute("data-part")?.split(" ") ?? [];
  for (const card of hand().querySelectorAll("[data-card]")) {
    card.classList.toggle("lit", names.includes(card.getAttribute("data-card") ?? ""));
  }
}

document.addEventListener("pointerover", light);
