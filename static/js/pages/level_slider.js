/* A slider over the computer players, weakest first. Without this script it is a list, which goes on
   holding what the form sends. Where it stays a list, its ratings follow the number of players. */

import { dataOf, one } from "../ui/dom.js";

/**
 * @param {string} className
 * @param {string} text
 */
function part(className, text) {
  const made = document.createElement("span");
  made.className = className;
  made.textContent = text;
  return made;
}

/**
 * The players' names under their holes: a tap on one chooses it. The slider says them, too.
 * @param {HTMLSelectElement} list
 * @param {(at: number) => void} choose
 */
function names(list, choose) {
  const row = part("level-names", "");
  row.setAttribute("aria-hidden", "true");
  for (const [at, option] of [...list.options].entries()) {
    const name = part("", dataOf(option, "name"));
    name.addEventListener("click", () => choose(at));
    row.append(name);
  }
  return row;
}

/**
 * What the slider says of an option's player: "Poppy, rating 1289, easiest. A beginner: ..."
 * @param {HTMLOptionElement} option
 * @param {string} measured the key of its rating
 */
function spoken(option, measured) {
  const facts = ["name", measured, "note"].map((key) => dataOf(option, key));
  return `${facts.filter(Boolean).join(", ")}. ${dataOf(option, "about")}`;
}

/**
 * The number of players that the list's form has chosen.
 * @param {HTMLSelectElement} list
 */
function players(list) {
  return list.form && new FormData(list.form).get("players");
}

/** @param {HTMLElement} place */
function build(place) {
  const list = one(place, "select", HTMLSelectElement);
  const slider = document.createElement("input");
  const shown = document.createElement("span");
  slider.type = "range";
  slider.className = "level-range";
  slider.id = `${list.id}-slider`;
  slider.max = String(list.length - 1);
  place.style.setProperty("--levels", String(list.length));
  shown.className = "level-shown";
  shown.setAttribute("aria-hidden", "true"); // the slider says it

  function show() {
    const measured = players(list) === "3" ? "ratingThree" : "rating";
    const texts = [...list.options].map((option) => {
      const text = part("level-text", "");
      text.append(part("level-name", dataOf(option, "name")), " ");
      for (const key of [measured, "note"]) {
        const fact = dataOf(option, key);
        if (fact) text.append(part("level-fact num", fact), " ");
      }
      text.append(dataOf(option, "about"));
      return text;
    });
    shown.replaceChildren(...texts); // all, so that the place has room for the longest
    slider.value = String(list.selectedIndex);
    slider.setAttribute("aria-valuetext", spoken(list.options[list.selectedIndex], measured));
    for (const row of [under, shown]) {
      for (const [at, each] of [...row.children].entries()) {
        each.classList.toggle("level-chosen", at === list.selectedIndex);
      }
    }
  }

  /** @param {number} at */
  function choose(at) {
    list.selectedIndex = at;
    show();
  }

  const under = names(list, choose);
  slider.addEventListener("input", () => choose(slider.valueAsNumber));
  // A browser may give back what was chosen before: on the way back, and in a form that it fills in.
  addEventListener("pageshow", show);
  (list.form ?? list).addEventListener("change", show); // another number of players, too
  for (const label of list.labels) label.htmlFor = slider.id;
  list.hidden = true;
  list.after(slider, under, shown);
  show();
}

/**
 * Let a list name each player's rating for the number of players that its form has chosen. Without
 * this script it names both, which is too long for a phone.
 * @param {HTMLSelectElement} list
 */
function adapt(list) {
  const { form } = list;
  if (!form) return;
  function show() {
    const key = players(list) === "3" ? "choiceThree" : "choice";
    for (const option of list.options) option.text = dataOf(option, key);
  }
  addEventListener("pageshow", show);
  form.addEventListener("change", show);
  show();
}

/** @type {NodeListOf<HTMLSelectElement>} */
const lists = document.querySelectorAll("select[data-levels]");
for (const list of lists) if (!list.closest("[data-level-slider]")) adapt(list);

/** @type {NodeListOf<HTMLElement>} */
const places = document.querySelectorAll("[data-level-slider]");
for (const place of places) build(place);
