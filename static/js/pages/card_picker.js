/* A pack to pick cards from into a form's text field, and the form's answer shown in the page.

   The form also works without scripts: the picker only fills in the field, and the answer is the page
   that the form's address opens. */

import { copied } from "../ui/clipboard.js";
import { dataOf, one } from "../ui/dom.js";
import { answers, forget, tell } from "../ui/unreachable.js";

/** @typedef {(slots: (Card | null)[], picker: Picker) => void} Changed */
/** @import { Card } from "../net/messages.js" */

const SIGNS = { C: /[♣♧]/g, D: /[♦♢]/g, H: /[♥♡]/g, S: /[♠♤]/g };
// Without width: phones put a variation selector after each sign, and pasted texts may begin with another one.
const UNSEEN = /[\u{FE0E}\u{FE0F}\u{200B}\u{FEFF}]/gu;
const WIDE = "(min-width: 56rem)"; // on narrower pages an open pack would push the answer far down
const COLUMNS = 13; // cards of a suit, for the up and down arrows

/**
 * Return the cards that a text names, or null if part of it is no card.
 * @param {string} text
 * @returns {Card[] | null}
 */
export function read(text) {
  let plain = text
    .toUpperCase()
    .replaceAll("10", "T")
    .replace(UNSEEN, "")
    .replace(/[\s,;]/g, "");
  for (const [suit, signs] of Object.entries(SIGNS)) plain = plain.replace(signs, suit);
  const cards = plain.match(/[A2-9TJQK][CDHS]/g) ?? [];
  return cards.join("") === plain ? cards : null;
}

export class Picker {
  /**
   * `changed(slots, picker)` is called after each change with the cards by slot, null for an empty one.
   * @param {HTMLFormElement} form
   * @param {{ size: number, changed?: Changed, answered?: (result: HTMLElement) => void }} props
   */
  constructor(form, { size, changed = () => {}, answered = () => {} }) {
    this.form = form;
    this.size = size; // number of cards that submits the form without the button
    this.changed = changed;
    this.answered = answered;
    this.input = one(form, "input[name=cards]", HTMLInputElement);
    this.picker = one(form, "details[data-picker]", HTMLDetailsElement);
    this.most = Number(this.picker.dataset.most);
    this.buttons = [
      .../** @type {NodeListOf<HTMLButtonElement>} */ (this.picker.querySelectorAll("[data-card]")),
    ];
    this.status = one(this.picker, "[data-picked]", HTMLElement);
    /** @type {(Card | null)[]} */
    this.slots = Array(this.most).fill(null);
    /** @type {AbortController | undefined} */
    this.asking = undefined;
    this.listen();
    this.picker.hidden = false;
    this.picker.open = matchMedia(WIDE).matches || !document.querySelector("[data-share]");
    this.buttons[0].tabIndex = 0;
    this.typed();
  }

  get cards() {
    return this.slots.filter((card) => card !== null);
  }

  listen() {
    this.picker.addEventListener("click", ({ target }) => {
      if (!(target instanceof Element)) return;
      const card = target.closest("[data-card]")?.getAttribute("data-card");
      if (card) this.toggle(card);
      else if (target.closest("[data-clear]")) this.clear();
    });
    this.picker.addEventListener("keydown", (event) => this.step(event));
    this.input.addEventListener("input", () => {
      this.typed();
      this.askIfWhole();
    });
    // In the capture phase: before a listener of the field asks again.
    this.form.addEventListener("input", () => this.withdraw(), { capture: true });
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.ask({ sent: true });
    });
  }

  /** Drop an answer that is on its way: it would undo what has been changed since. */
  withdraw() {
    this.asking?.abort();
  }

  /**
   * Put a card into the first empty slot, or remove it.
   * @param {Card} name
   */
  toggle(name) {
    const at = this.slots.indexOf(name);
    const free = this.slots.indexOf(null);
    if (at >= 0) this.slots[at] = null;
    else if (free >= 0) this.slots[free] = name;
    else {
      this.say(dataOf(this.picker, "full"));
      return;
    }
    this.withdraw();
    this.input.value = this.cards.join(" ");
    this.show();
    this.say(
      `${this.picker.dataset.chosen} ${this.cards.map((card) => this.nameOf(card)).join(", ")}`,
    );
    this.askIfWhole();
  }

  clear() {
    this.withdraw();
    this.slots.fill(null);
    this.input.value = "";
    this.show();
    this.say("");
  }

  /** Read the cards from the typed text, as far as possible. */
  typed() {
    const cards = [...new Set(read(this.input.value) ?? [])].slice(0, this.most);
    this.slots = Array.from({ length: this.most }, (_, at) => cards[at] ?? null);
    this.show();
  }

  show() {
    const full = !this.slots.includes(null);
    this.picker.classList.toggle("picker-full", full);
    for (const button of this.buttons) {
      button.setAttribute("aria-pressed", String(this.slots.includes(dataOf(button, "card"))));
    }
    this.changed(this.slots, this);
  }

  /**
   * Move among the cards with the arrow keys; the pack is one tab stop.
   * @param {KeyboardEvent} event
   */
  step(event) {
    const at = this.buttons.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    /** @type {Record<string, number>} */
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -COLUMNS, ArrowDown: COLUMNS };
    const next = this.buttons[at + steps[event.key]];
    if (at < 0 || !(event.key in steps)) return;
    event.preventDefault();
    if (!next) return;
    this.buttons[at].tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  /** @param {Card} name */
  button(name) {
    return one(this.picker, `[data-card="${name}"]`, HTMLButtonElement);
  }

  /** @param {Card} name */
  nameOf(name) {
    return one(this.button(name), ".visually-hidden", HTMLElement).textContent;
  }

  /** @param {string} text */
  say(text) {
    this.status.textContent = text;
  }

  askIfWhole() {
    const cards = read(this.input.value);
    if (cards?.length === this.size && new Set(cards).size === this.size) this.ask();
  }

  /**
   * Fetch the form's address and show its answer in this page.
   * @param {{ sent?: boolean }} [how] whether the form was sent, not just changed
   */
  async ask({ sent = false } = {}) {
    this.withdraw();
    const asking = new AbortController();
    this.asking = asking;
    const told = [...new FormData(this.form)]
      .map(([name, value]) => [name, String(value)])
      .filter(([, value]) => value !== "");
    if (!told.some(([name]) => name === "cards")) told.push(["cards", ""]);
    const address = `${location.pathname}?${new URLSearchParams(told)}`;
    try {
      const answer = await fetch(address, { signal: asking.signal });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (!page.querySelector("[data-result]")) throw new Error(`no result at ${address}`);
      forget(this.form);
      this.place(page, sent);
      history.replaceState(null, "", answer.url);
    } catch (problem) {
      const stopped = problem instanceof DOMException && problem.name === "AbortError";
      if (!stopped) await this.failed(problem, address, asking.signal);
    }
  }

  /**
   * Say that the site can't be reached, with the cards still there; else let it say what is wrong.
   * @param {unknown} problem
   * @param {string} address
   * @param {AbortSignal} signal
   */
  async failed(problem, address, signal) {
    const lost = problem instanceof TypeError && !(await answers());
    if (signal.aborted) return; // the cards have changed meanwhile
    if (!lost) {
      location.assign(address);
      return;
    }
    forget(this.form);
    tell(this.form);
  }

  /**
   * @param {Document} page
   * @param {boolean} sent
   */
  place(page, sent) {
    document.title = page.title;
    const result = one(document, "[data-result]", HTMLElement);
    const found = document.importNode(one(page, "[data-result]", HTMLElement), true);
    result.replaceWith(found);
    /** @type {NodeListOf<HTMLElement>} */
    const fields = this.form.querySelectorAll("[data-field]");
    for (const field of fields) {
      putField(field, one(page, `[data-field="${field.dataset.field}"]`, HTMLElement));
    }
    enhance(found);
    this.typed();
    this.answered(found);
    const said = found.querySelector("[data-said]");
    if (said) bringIntoView(found);
    else if (sent || !(document.activeElement instanceof HTMLInputElement)) {
      /** @type {HTMLElement | null} */
      const wrong = this.form.querySelector("[aria-invalid='true']");
      wrong?.focus(); // not while another field is being filled in
    }
    this.say(said?.textContent?.trim().replace(/\s+/g, " ") ?? "");
  }
}

/**
 * Copy a field's error, and its value unless the field has the focus.
 * @param {HTMLElement} field
 * @param {Element} fresh
 */
function putField(field, fresh) {
  const input = one(field, "input", HTMLInputElement);
  const told = one(fresh, "input", HTMLInputElement);
  field.className = fresh.className;
  field.querySelector(".field-error")?.remove();
  const error = fresh.querySelector(".field-error");
  if (error) field.append(document.importNode(error, true));
  for (const name of ["aria-invalid", "aria-describedby"]) {
    if (told.hasAttribute(name)) input.setAttribute(name, told.getAttribute(name) ?? "");
    else input.removeAttribute(name);
  }
  if (input !== document.activeElement) input.value = told.value;
}

/** @param {Element} element */
function bringIntoView(element) {
  const { top } = element.getBoundingClientRect();
  if (top >= 0 && top < innerHeight * 0.7) return;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  element.scrollIntoView({ behavior: still ? "auto" : "smooth", block: "start" });
}

/**
 * Add the button that copies an answer's address.
 * @param {Element} result
 */
export function enhance(result) {
  const button = result.querySelector("[data-copy]");
  if (!(button instanceof HTMLElement) || !navigator.clipboard) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const link = one(result, "[data-share]", HTMLAnchorElement);
    if (await copied(link.href, link)) button.textContent = dataOf(button, "done");
  });
}
