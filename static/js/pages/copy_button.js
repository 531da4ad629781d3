/* Copies the text beside a button. Browsers allow it only on secure pages; elsewhere the button stays
   hidden, and the text can be selected by hand. */

import { one } from "../ui/dom.js";

/** @type {NodeListOf<HTMLButtonElement>} */
const buttons = document.querySelectorAll("button[data-copy]");
for (const button of buttons) {
  const section = button.closest("section");
  if (!section) throw new Error("A copy button stands in no section.");
  const text = one(section, "[data-copy-from]", HTMLElement);
  const said = one(section, "[data-copied]", HTMLElement);
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text.textContent ?? "");
    said.hidden = false;
  });
}
