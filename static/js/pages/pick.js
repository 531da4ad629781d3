/* Cards to choose from: one too many takes the oldest back, keys choose, the button waits. */

const form = document.querySelector("[data-pick]");

if (form) {
  const number = Number(form.dataset.pick);
  const boxes = [...form.querySelectorAll("input[name='cards']")];
  const button = form.querySelector("button[type='submit']");
  let chosen = boxes.filter((box) => box.checked);

  const settle = () => {
    for (const box of boxes) box.checked = chosen.includes(box);
    button.disabled = chosen.length !== number;
  };

  form.addEventListener("change", ({ target }) => {
    if (!boxes.includes(target)) return;
    chosen = chosen.filter((box) => box !== target && (number > 1 || box.checked));
    if (target.checked) chosen.push(target);
    if (chosen.length > number) chosen.shift();
    settle();
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const box = boxes[Number(event.key) - 1];
    if (!box || box.disabled || event.target.matches("input[type='text'], textarea")) return;
    box.click();
    box.focus();
  });

  settle();
}
