/* The hand counter: shows the picked cards, and highlights the cards of a combination. */

import { one } from "../ui/dom.js";
import { enhance, Picker } from "./card_picker.js";

/** @import { Card } from "../net/messages.js" */

const SIZE = 5;

/**
 * Highlight the cards of each combination while it is hovered or focused, and when it is tapped.
 * @param {Element} result
 */
function light(result) {
  const list = result.querySelector("[data-parts]");
  if (!list) return;
  const slots = one(result, "[data-slots]", HTMLElement);
  /** @type {Element | null} */
  let kept = null;

  /** Return the line that stays lit when the pointer leaves another. */
  const resting = () => list.querySelector(":focus")?.parentElement ?? kept;

  /** @param {Element | null} line */
  function show(line) {
    const names = line?.getAttribute("data-part")?.split(" ") ?? [];
    slots.classList.toggle("some-lit", names.length > 0);
    for (const slot of slots.children) {
      slot.classList.toggle("lit", names.includes(slot.getAttribute("data-card") ?? ""));
    }
  }

  for (const line of list.children) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "part";
    button.setAttribute("aria-pressed", "false");
    button.append(...line.childNodes);
    line.append(button);
    button.addEventListener("pointerenter", () => show(line));
    button.addEventListener("focus", () => show(line));
    button.addEventListener("pointerleave", () => show(resting()));
    button.addEventListener("blur", () => show(kept));
    button.addEventListener("click", () => {
      kept = kept === line ? null : line;
      for (const each of list.children) {
        each.firstElementChild?.setAttribute("aria-pressed", String(each === kept));
      }
      show(kept);
    });
  }
}

/**
 * Show the picked cards where they will be counted.
 * @param {Element} result
 * @param {(Card | null)[]} slots
 * @param {Picker} picker
 */
function fill(result, slots, picker) {
  const row = one(result, "[data-slots]", HTMLElement);
  const places = [...row.children];
  const before = places.map((place) => place.getAttribute("data-card"));
  if (slots.every((name, at) => name === before[at])) return;
  one(result, "[data-answer]", HTMLElement).hidden = true;
  places.forEach((place, at) => {
    const name = slots[at];
    place.classList.remove("lit");
    if (name === before[at]) return;
    const label = place.querySelector(".slot-label");
    place.replaceChildren(...(name ? [mini(picker.button(name))] : []), ...(label ? [label] : []));
    place.classList.toggle("slot-empty", !name);
    if (name) place.setAttribute("data-card", name);
    else place.removeAttribute("data-card");
  });
  row.classList.remove("some-lit");
}

/** @param {Element} button */
function mini(button) {
  const card = document.createElement("span");
  card.className = button.className;
  card.append(...[...button.children].map((child) => child.cloneNode(true)));
  return card;
}

const form = one(document, "form[data-tool]", HTMLFormElement);
const current = () => one(document, "[data-result]", HTMLElement);

const picker = new Picker(form, {
  size: SIZE,
  changed: (slots, picker) => fill(current(), slots, picker),
  answered: light,
});

light(current());
enhance(current());
one(form, "[name=crib]", HTMLInputElement).addEventListener("change", () => picker.askIfWhole());
document.addEventListener("click", ({ target }) => {
  const slot = target instanceof Element ? target.closest("[data-slots] [data-card]") : null;
  const card = slot?.getAttribute("data-card");
  if (card) picker.toggle(card);
});
