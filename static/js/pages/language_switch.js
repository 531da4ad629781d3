/* The language switch leads back to what the page shows now: tools change their address with the
   picked cards, without loading the page again. */

const loaded = address();

document.addEventListener("submit", ({ target }) => {
  if (!(target instanceof HTMLFormElement) || !target.matches(".languages")) return;
  const back = target.elements.namedItem("next");
  if (back instanceof HTMLInputElement && address() !== loaded) back.value = address();
});

function address() {
  return location.pathname + location.search;
}
