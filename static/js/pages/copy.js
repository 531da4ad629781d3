/* Copies the text beside a button. Browsers allow it on secure pages alone: elsewhere the button
   stays hidden, and the text can be marked by hand. */

for (const button of document.querySelectorAll("[data-copy]")) {
  const section = button.closest("section");
  const text = section.querySelector("[data-copy-from]");
  const said = section.querySelector("[data-copied]");
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text.textContent);
    said.hidden = false;
  });
}
