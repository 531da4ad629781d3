/* The hand counter: cards tapped into the hand, and the cards of a combination lit. */

import { enhance, Picker } from "./picker.js";

const SIZE = 5;

/** Let each combination light its cards: while it is pointed at or focused, and when tapped. */
function light(result) {
  const list = result.querySelector("[data-parts]");
  const slots = result.querySelector("[data-slots]");
  if (!list) return;
  let kept = null;

  function show(line) {
    const names = line?.dataset.part.split(" ") ?? [];
    slots.classList.toggle("some-lit", names.length > 0);
    for (const slot of slots.children) {
      slot.classList.toggle("lit", names.includes(slot.dataset.card));
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
    button.addEventListener("pointerleave", () => show(kept));
    button.addEventListener("blur", () => show(kept));
    button.addEventListener("click", () => {
      kept = kept === line ? null : line;
      for (const each of list.children) {
        each.firstElementChild.setAttribute("aria-pressed", String(each === kept));
      }
      show(kept);
    });
  }
}

/** Show the picked cards where they will be counted. */
function fill(result, slots, picker) {
  const places = [...result.querySelector("[data-slots]").children];
  const before = places.map((place) => place.dataset.card ?? null);
  if (slots.every((name, at) => name === before[at])) return;
  result.querySelector("[data-answer]").hidden = true;
  places.forEach((place, at) => {
    const name = slots[at];
    place.classList.remove("lit");
    if (name === before[at]) return;
    const label = place.querySelector(".slot-label");
    place.replaceChildren(...(name ? [mini(picker.button(name))] : []), ...(label ? [label] : []));
    place.classList.toggle("slot-empty", !name);
    if (name) place.dataset.card = name;
    else delete place.dataset.card;
  });
  result.querySelector("[data-slots]").classList.remove("some-lit");
}

function mini(button) {
  const card = document.createElement("span");
  card.className = button.className;
  card.append(...[...button.children].map((child) => child.cloneNode(true)));
  return card;
}

const form = document.querySelector("[data-tool]");
const current = () => document.querySelector("[data-result]");

const picker = new Picker(form, {
  size: SIZE,
  changed: (slots, picker) => fill(current(), slots, picker),
  answered: light,
});

light(current());
enhance(current());
form.elements.namedItem("crib").addEventListener("change", () => picker.askIfWhole());
document.addEventListener("click", ({ target }) => {
  const slot = target.closest("[data-slots] [data-card]");
  if (slot) picker.toggle(slot.dataset.card);
});
