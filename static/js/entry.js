/* Entry of the page that takes a game card by card. */

import { html, render } from "../vendor/preact/preact.js";
import { App } from "./entry/app.js";
import { Entry } from "./entry/entry.js";
import { createStore } from "./store.js";

const form = document.querySelector("[data-entry]");
const root = document.getElementById("entry");
const first = {
  record: null,
  asked: null,
  chosen: [],
  typed: "",
  problem: null,
  error: null,
  busy: false,
};

const store = createStore(first, draw);
const entry = new Entry({ store, form });

function draw(state) {
  render(html`<${App} state=${state} entry=${entry} sprite=${form.dataset.sprite} />`, root);
  fit(state);
}

/** Fields of a third seat are for three; the rules are fixed with the first card. */
function fit(state) {
  const three = form.elements.namedItem("players").value === "3";
  form.querySelector('[data-field="name_2"]').hidden = !three;
  for (const name of ["me", "first_dealer"]) {
    const option = form.elements.namedItem(name).querySelector('option[value="2"]');
    option.hidden = !three;
    option.disabled = !three;
  }
  for (const name of ["players", "target", "first_dealer"]) {
    form.elements.namedItem(name).disabled = (state.record?.hands.length ?? 0) > 0;
  }
}

form.addEventListener("change", (event) => {
  if (event.target.id !== "entry-cards") entry.changed();
});
form.addEventListener("submit", () => entry.submitted());
draw(first);
entry.start();
