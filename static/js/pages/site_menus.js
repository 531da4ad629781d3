/* Closes the header's menus, which open without a script: by Escape, by a click elsewhere, and when
   the focus leaves them. */

/** @type {NodeListOf<HTMLDetailsElement>} */
const menus = document.querySelectorAll("details.menu");

for (const menu of menus) {
  menu.addEventListener("focusout", ({ relatedTarget }) => {
    // Without a new target the window lost the focus, or a click went to something without one.
    if (relatedTarget instanceof Node && !menu.contains(relatedTarget)) menu.open = false;
  });
  menu.addEventListener("toggle", () => {
    if (!menu.open) return;
    // Browsers without exclusive <details> leave the others open.
    for (const other of menus) if (other !== menu) other.open = false;
  });
}

document.addEventListener("click", ({ target }) => {
  if (!(target instanceof Element)) return;
  for (const menu of menus) {
    // A line may lead to a place on the same page.
    if (!menu.contains(target) || target.closest(".menu-lines a")) menu.open = false;
  }
});

document.addEventListener("keydown", ({ key }) => {
  const open = [...menus].find((menu) => menu.open);
  if (key !== "Escape" || !open) return;
  open.open = false;
  open.querySelector("summary")?.focus();
});
