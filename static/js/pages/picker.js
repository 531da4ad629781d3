/* Cards picked from a pack into a form's text field, and the form's answer put into the page.

   The form works by itself: a picker only types for it, and an answer is the same page that the
   address would open. */

const SIGNS = { "♣": "C", "♦": "D", "♥": "H", "♠": "S" };
const WIDE = "(min-width: 56rem)"; // elsewhere an answer would stand far below an open pack
const COLUMNS = 13; // cards of a suit, for the arrows up and down

/** Return the cards that a text names, or null where something in it is no card. */
export function read(text) {
  const plain = text
    .toUpperCase()
    .replace(/[♣♦♥♠]/g, (sign) => SIGNS[sign])
    .replaceAll("10", "T")
    .replace(/[\s,;]/g, "");
  const cards = plain.match(/[A2-9TJQK][CDHS]/g) ?? [];
  return cards.join("") === plain ? cards : null;
}

export class Picker {
  /** `changed(slots, picker)` hears of each change: names by slot, null where one is empty. */
  constructor(form, { size, changed = () => {}, answered = () => {} }) {
    this.form = form;
    this.size = size; // cards that are asked about without a press of the button
    this.changed = changed;
    this.answered = answered;
    this.input = form.elements.namedItem("cards");
    this.picker = form.querySelector("[data-picker]");
    this.most = Number(this.picker.dataset.most);
    this.buttons = [...this.picker.querySelectorAll("[data-card]")];
    this.status = this.picker.querySelector("[data-picked]");
    this.slots = Array(this.most).fill(null);
    this.listen();
    this.picker.hidden = false;
    this.picker.open = matchMedia(WIDE).matches || !document.querySelector("[data-share]");
    this.buttons[0].tabIndex = 0;
    this.typed();
  }

  get cards() {
    return this.slots.filter(Boolean);
  }

  listen() {
    this.picker.addEventListener("click", ({ target }) => {
      const button = target.closest("[data-card]");
      if (button) this.toggle(button.dataset.card);
      else if (target.closest("[data-clear]")) this.clear();
    });
    this.picker.addEventListener("keydown", (event) => this.step(event));
    this.input.addEventListener("input", () => {
      this.typed();
      this.askIfWhole();
    });
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.ask();
    });
  }

  /** Take a card into the first empty slot, or away. */
  toggle(name) {
    const at = this.slots.indexOf(name);
    const free = this.slots.indexOf(null);
    if (at >= 0) this.slots[at] = null;
    else if (free >= 0) this.slots[free] = name;
    else {
      this.say(this.picker.dataset.full);
      return;
    }
    this.input.value = this.cards.join(" ");
    this.show();
    this.say(
      `${this.picker.dataset.chosen} ${this.cards.map((card) => this.nameOf(card)).join(", ")}`,
    );
    this.askIfWhole();
  }

  clear() {
    this.slots.fill(null);
    this.input.value = "";
    this.show();
    this.say("");
  }

  /** Follow what was typed, as far as it can be read. */
  typed() {
    const cards = [...new Set(read(this.input.value) ?? [])].slice(0, this.most);
    this.slots = Array.from({ length: this.most }, (_, at) => cards[at] ?? null);
    this.show();
  }

  show() {
    const full = !this.slots.includes(null);
    this.picker.classList.toggle("picker-full", full);
    for (const button of this.buttons) {
      button.setAttribute("aria-pressed", String(this.slots.includes(button.dataset.card)));
    }
    this.changed(this.slots, this);
  }

  /** Move among the cards with the arrows; the pack is one stop of the Tab key. */
  step(event) {
    const at = this.buttons.indexOf(event.target);
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -COLUMNS, ArrowDown: COLUMNS };
    const next = this.buttons[at + steps[event.key]];
    if (at < 0 || !(event.key in steps)) return;
    event.preventDefault();
    if (!next) return;
    this.buttons[at].tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  button(name) {
    return this.buttons.find((button) => button.dataset.card === name);
  }

  nameOf(name) {
    return this.button(name).querySelector(".visually-hidden").textContent;
  }

  say(text) {
    this.status.textContent = text;
  }

  askIfWhole() {
    const cards = read(this.input.value);
    if (cards?.length === this.size && new Set(cards).size === this.size) this.ask();
  }

  /** Open the form's address behind the page, and put its answer in place. */
  async ask() {
    this.asking?.abort();
    this.asking = new AbortController();
    const told = [...new FormData(this.form)].filter(([, value]) => value !== "");
    if (!told.some(([name]) => name === "cards")) told.push(["cards", ""]);
    const address = `${location.pathname}?${new URLSearchParams(told)}`;
    try {
      const answer = await fetch(address, { signal: this.asking.signal });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (!page.querySelector("[data-result]")) throw new Error(`no result at ${address}`);
      this.place(page);
      history.replaceState(null, "", answer.url);
    } catch (problem) {
      if (problem.name !== "AbortError") location.assign(address);
    }
  }

  place(page) {
    document.title = page.title;
    const result = document.querySelector("[data-result]");
    const found = document.importNode(page.querySelector("[data-result]"), true);
    result.replaceWith(found);
    for (const field of this.form.querySelectorAll("[data-field]")) {
      putField(field, page.querySelector(`[data-field="${field.dataset.field}"]`));
    }
    enhance(found);
    this.typed();
    this.answered(found);
    const said = found.querySelector("[data-said]");
    if (said) bringIntoView(found);
    else this.form.querySelector("[aria-invalid='true']")?.focus();
    this.say(said?.textContent.trim().replace(/\s+/g, " ") ?? "");
  }
}

/** Take over a field's error, and its value unless somebody types there. */
function putField(field, fresh) {
  const [input, told] = [field, fresh].map((each) => each.querySelector("input"));
  field.className = fresh.className;
  field.querySelector(".field-error")?.remove();
  const error = fresh.querySelector(".field-error");
  if (error) field.append(document.importNode(error, true));
  for (const name of ["aria-invalid", "aria-describedby"]) {
    if (told.hasAttribute(name)) input.setAttribute(name, told.getAttribute(name));
    else input.removeAttribute(name);
  }
  if (input !== document.activeElement) input.value = told.value;
}

function bringIntoView(element) {
  const { top } = element.getBoundingClientRect();
  if (top >= 0 && top < innerHeight * 0.7) return;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  element.scrollIntoView({ behavior: still ? "auto" : "smooth", block: "start" });
}

/** Give an answer the button that copies its address. */
export function enhance(result) {
  const button = result.querySelector("[data-copy]");
  if (!button || !navigator.clipboard) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(result.querySelector("[data-share]").href);
    button.textContent = button.dataset.done;
  });
}
