/* The discard helper: six cards tapped are ranked at once; five, of three players, on the button. */

import { enhance, Picker, read } from "./picker.js";

const SIZE = 6;
const OF_THREE = 5;
const PAUSE_MS = 350; // while somebody types a score

const form = document.querySelector("[data-tool]");
const picker = new Picker(form, { size: SIZE });
enhance(document.querySelector("[data-result]"));

let waiting = 0;
form.addEventListener("input", ({ target }) => {
  if (target.name === "cards") return;
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    const number = read(form.elements.namedItem("cards").value)?.length;
    if (number === SIZE || number === OF_THREE) picker.ask();
  }, PAUSE_MS);
});
