/* Offers the browser's time zone, where the player has chosen another or none. */

import { one } from "../ui/dom.js";

const line = one(document, "[data-zone-here]", HTMLElement);
const button = one(line, "button", HTMLButtonElement);
const choices = one(document, "#id_zone", HTMLSelectElement);
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

if (choices.value !== zone && [...choices.options].some((option) => option.value === zone)) {
  button.textContent = zone.replaceAll("_", " ");
  button.addEventListener("click", () => {
    choices.value = zone;
    line.hidden = true;
  });
  line.hidden = false;
}
