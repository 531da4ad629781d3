/* A choice of cards: one too many drops the oldest, number keys choose, and the button is enabled once
   enough are chosen. */

import { one } from "../ui/dom.js";

const form = document.querySelector("form[data-pick]");

if (form instanceof HTMLFormElement) {
  const number = Number(form.dataset.pick);
  const boxes = [
    .../** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input[name='cards']")),
  ];
  const button = one(form, "button[type='submit']", HTMLButtonElement);
  let chosen = boxes.filter((box) => box.checked);

  const settle = () => {
    for (const box of boxes) box.checked = chosen.includes(box);
    button.disabled = chosen.length !== number;
  };

  form.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !boxes.includes(target)) return;
    chosen = chosen.filter((box) => box !== target && (number > 1 || box.checked));
    if (target.checked) chosen.push(target);
    if (chosen.length > number) chosen.shift();
    settle();
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const box = boxes[Number(event.key) - 1];
    const typing =
      event.target instanceof Element && event.target.matches("input[type='text'], textarea");
    if (!box || box.disabled || typing) return;
    box.click();
    box.focus();
  });

  settle();
}
