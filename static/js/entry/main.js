/* Entry point of the page for entering a game card by card. */

import { html, render } from "../../vendor/preact/preact.js";
import { one } from "../ui/dom.js";
import { createStore } from "../ui/store.js";
import { App } from "./app.js";
import { Entry } from "./game_entry.js";

/** @import { EntryState } from "./types.js" */

const form = one(document, "form[data-entry]", HTMLFormElement);
const root = one(document, "#entry", HTMLElement);
/** @type {EntryState} */
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

/** @param {EntryState} state */
function draw(state) {
  render(html`<${App} state=${state} entry=${entry} sprite=${form.dataset.sprite} />`, root);
  fit(state);
}

/**
 * Show the fields of a third seat only for three; fix the rules once a card is entered.
 * @param {EntryState} state
 */
function fit(state) {
  const three = entry.field("players").value === "3";
  one(form, '[data-field="name_2"]', HTMLElement).hidden = !three;
  for (const name of ["me", "first_dealer"]) {
    const option = one(entry.field(name), 'option[value="2"]', HTMLOptionElement);
    option.hidden = !three;
    option.disabled = !three;
  }
  for (const name of ["players", "target", "first_dealer"]) {
    entry.field(name).disabled = (state.record?.hands.length ?? 0) > 0;
  }
}

form.addEventListener("change", (event) => {
  const { target } = event;
  if (target instanceof Element && target.id !== "entry-cards") entry.changed();
});
form.addEventListener("submit", () => entry.submitted());
draw(first);
entry.start();
