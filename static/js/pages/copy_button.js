/* Copies the text beside a button, and offers the device's own way to share it. Browsers allow both only
   on secure pages; elsewhere the buttons stay hidden, and the text can be selected by hand. */

import { copied } from "../ui/clipboard.js";
import { one } from "../ui/dom.js";

/** @type {NodeListOf<HTMLButtonElement>} */
const buttons = document.querySelectorAll("button[data-copy]");
for (const button of buttons) {
  const section = button.closest("section");
  if (!section) throw new Error("A copy button stands in no section.");
  const text = one(section, "[data-copy-from]", HTMLElement);
  const said = one(section, "[data-copied]", HTMLElement);
  button.hidden = !navigator.clipboard;
  const share = section.querySelector("button[data-share]");
  if (share instanceof HTMLButtonElement && "share" in navigator) {
    share.hidden = false;
    share.addEventListener("click", () => {
      const shared = text.textContent?.trim() ?? "";
      // An address of its own is shared as such, so that its preview is shown.
      const link = URL.canParse(shared) ? { url: shared } : { text: shared };
      navigator.share(link).catch(() => {}); // closed without sharing
    });
  }
  button.addEventListener("click", async () => {
    said.hidden = !(await copied(text.textContent ?? "", text));
  });
}
