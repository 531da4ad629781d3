/* The discard ranking and the explorer: six picked cards are answered at once; five, for three players,
   and the four kept, by the button. Then changes of the other fields are answered at once, too. */

import { one } from "../ui/dom.js";
import { enhance, Picker, read } from "./card_picker.js";

const SIZE = 6;
const OF_THREE = 5;
const KEPT = 4;
const PAUSE_MS = 350; // while a score is being typed

const form = one(document, "form[data-tool]", HTMLFormElement);
const picker = new Picker(form, { size: SIZE });
enhance(one(document, "[data-result]", HTMLElement));

/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;
form.addEventListener("input", ({ target }) => {
  if (target === picker.input) return;
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    const number = read(picker.input.value)?.length;
    if (number === SIZE || number === OF_THREE || (number === KEPT && showsKept())) picker.ask();
  }, PAUSE_MS);
});

/** Whether the page answers four cards already, and not six of which two have been taken back. */
function showsKept() {
  const answered = read(new URLSearchParams(location.search).get("cards") ?? "")?.length === KEPT;
  return answered && document.querySelector("[data-result] [data-said]") !== null;
}
