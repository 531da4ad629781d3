/* The analysis board: cards of the pack are tapped into rows, and each change asks for the answer.

   The form also works without scripts. The text fields hold the position; rows and pack show them. */

import { dataOf, one } from "../ui/dom.js";
import { enhance, read } from "./card_picker.js";

/** @import { Card } from "../net/messages.js" */
/** @typedef {"cards" | "starter" | "plays" | "thrown" | "seen"} Row */

const GO = "go";
const PAUSE_MS = 250; // between the last change and the request
const RETRY_MS = 1500; // while the engine gets ready
/** Seconds until the next try, for each failed request in a row; then only the reader tries again. */
const PAUSES_S = [2, 5, 10, 20, 40];
const COLUMNS = 13; // cards of a suit, for the up and down arrows
/** @type {Row[]} */
const ROWS = ["cards", "starter", "plays", "thrown", "seen"];

/**
 * Return the cards and goes that a text names, or null if part of it is neither.
 * @param {string} text
 * @returns {string[] | null}
 */
export function tokensOf(text) {
  /** @type {string[]} */
  const found = [];
  for (const [at, part] of text.split(/\bgo\b/i).entries()) {
    const cards = read(part);
    if (!cards) return null;
    if (at) found.push(GO);
    found.push(...cards);
  }
  return found;
}

/**
 * Return the rows after a card was tapped while `active` was chosen: taken back if it is in that row,
 * otherwise put there. A card of the hand stays there when it is played.
 * @param {Record<Row, string[]>} rows
 * @param {Row} active
 * @param {Card} card
 * @param {number} most
 * @returns {Record<Row, string[]> | null} null if the row is full
 */
export function tapped(rows, active, card, most) {
  const without = (/** @type {Row} */ row) => rows[row].filter((name) => name !== card);
  if (rows[active].includes(card)) return { ...rows, [active]: without(active) };
  if (active === "starter") return { ...emptied(rows, card, []), starter: [card] };
  if (rows[active].length >= most) return null;
  /** @type {Row[]} */
  const kept = active === "plays" ? ["cards"] : [];
  const rest = emptied(rows, card, kept);
  return { ...rest, [active]: [...rest[active], card] };
}

/**
 * Return the rows without a card, except for the rows in `kept`.
 * @param {Record<Row, string[]>} rows
 * @param {Card} card
 * @param {Row[]} kept
 */
function emptied(rows, card, kept) {
  const rest = { ...rows };
  for (const row of ROWS) {
    if (!kept.includes(row)) rest[row] = rows[row].filter((name) => name !== card);
  }
  return rest;
}

export class Board {
  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
    this.pack = one(form, "[data-pack]", HTMLElement);
    this.status = one(form, "[data-status]", HTMLElement);
    this.cards = [
      .../** @type {NodeListOf<HTMLButtonElement>} */ (this.pack.querySelectorAll("[data-card]")),
    ];
    this.labels = new Map(
      this.cards.map((button) => [
        dataOf(button, "card"),
        one(button, ".visually-hidden", HTMLElement).textContent,
      ]),
    );
    /** @type {Row} */
    this.active = "cards";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {AbortController | undefined} */
    this.asking = undefined;
    this.failed = 0; // requests in a row
    this.again = one(form, "[data-again]", HTMLButtonElement);
    this.rank = ""; // typed on the pack, before its suit
    one(form, "[data-pick]", HTMLElement).hidden = false;
    const typed = one(form, "[data-typed]", HTMLDetailsElement);
    typed.open = typed.contains(document.activeElement); // on a slow line, someone may be typing
    one(form, "[data-back]", HTMLButtonElement).addEventListener("click", () => this.back());
    one(form, "[data-go]", HTMLButtonElement).addEventListener("click", () => this.go());
    one(form, "[data-clear]", HTMLButtonElement).addEventListener("click", () => this.clear());
    this.cards[0].tabIndex = 0;
    this.listen();
    this.choose(this.wanted());
    this.answered();
    if (document.querySelector("[data-said][data-field]"))
      this.status.scrollIntoView({ block: "center" });
    else if (hasAnswer() && !isReturn()) bringIntoView();
  }

  listen() {
    this.form.addEventListener("click", ({ target }) => {
      if (!(target instanceof Element)) return;
      const row = target.closest("[data-row]")?.getAttribute("data-row");
      const card = target.closest("[data-card]")?.getAttribute("data-card");
      if (row) this.choose(/** @type {Row} */ (row));
      else if (card) this.tap(card);
    });
    this.form.addEventListener("input", () => {
      this.show();
      this.askSoon();
    });
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.ask();
    });
    this.pack.addEventListener("keydown", (event) => this.key(event));
    this.again.addEventListener("click", () => {
      this.failed = 0;
      this.ask();
    });
  }

  /** @param {Row} row */
  input(row) {
    return one(this.form, `[name="${row}"]`, HTMLInputElement);
  }

  /** The cards of each row; none for a text that cannot be read. */
  get rows() {
    const found = ROWS.map((row) => [row, tokensOf(this.input(row).value) ?? []]);
    return /** @type {Record<Row, string[]>} */ (Object.fromEntries(found));
  }

  get players() {
    return Number(new FormData(this.form).get("players"));
  }

  /** @param {Row} row */
  most(row) {
    const dealt = this.players === 3 ? 5 : 6;
    if (row === "cards") return dealt;
    if (row === "thrown") return dealt - 4;
    return row === "plays" ? 4 * this.players + 8 : 39;
  }

  /** Whether the text of the chosen row names cards; if not, show it, to be corrected. */
  isReadable() {
    const input = this.input(this.active);
    if (tokensOf(input.value)) return true;
    one(this.form, "[data-typed]", HTMLDetailsElement).open = true;
    input.focus();
    this.status.textContent = dataOf(this.form, "unread");
    return false;
  }

  /** @param {Card} card */
  tap(card) {
    if (!this.isReadable()) return;
    const rows = tapped(this.rows, this.active, card, this.most(this.active));
    if (rows) this.put(rows);
    else this.status.textContent = dataOf(this.form, "full");
  }

  /**
   * Write the rows that changed; a text that cannot be read stays in the others.
   * @param {Record<Row, string[]>} rows
   */
  put(rows) {
    const before = this.rows;
    for (const row of ROWS) {
      const text = rows[row].join(" ");
      if (text !== before[row].join(" ")) this.input(row).value = text;
    }
    this.show();
    this.askSoon();
  }

  back() {
    if (!this.isReadable()) return;
    const { rows } = this;
    this.put({ ...rows, [this.active]: rows[this.active].slice(0, -1) });
  }

  go() {
    if (!this.isReadable()) return;
    const { rows } = this;
    this.put({ ...rows, plays: [...rows.plays, GO] });
  }

  clear() {
    for (const row of ROWS) this.input(row).value = "";
    this.choose("cards");
    this.askSoon();
  }

  /** The row where cards go first: the one that the page asks for, or the one that is next. */
  wanted() {
    const field = document.querySelector("[data-said][data-field]")?.getAttribute("data-field");
    const named = ROWS.find((row) => row === field);
    if (named) return named;
    return this.rows.starter.length ? "plays" : "cards";
  }

  /** @param {Row} row */
  choose(row) {
    this.active = row;
    this.show();
  }

  /** Show rows and pack as the fields have them. */
  show() {
    const { rows } = this;
    for (const row of ROWS) {
      const button = one(this.form, `[data-row="${row}"]`, HTMLButtonElement);
      button.setAttribute("aria-pressed", String(row === this.active));
      one(button, "[data-chips]", HTMLElement).replaceChildren(...rows[row].map((it) => chip(it)));
    }
    one(this.form, "[data-go]", HTMLButtonElement).hidden = this.active !== "plays";
    for (const button of this.cards) this.mark(button, rows);
    const third = one(this.form, "[name='third']", HTMLInputElement);
    third.disabled = this.players !== 3;
    if (third.disabled && new FormData(this.form).get("dealer") === "2") {
      one(this.form, "[name='dealer'][value='0']", HTMLInputElement).checked = true;
    }
  }

  /**
   * @param {HTMLButtonElement} button
   * @param {Record<Row, string[]>} rows
   */
  mark(button, rows) {
    const card = dataOf(button, "card");
    const at = [...ROWS].reverse().find((row) => rows[row].includes(card)) ?? "";
    const named = rows.plays.includes(card) ? "plays" : at;
    if (named) button.dataset.at = named;
    else delete button.dataset.at;
    button.setAttribute("aria-pressed", String(rows[this.active].includes(card)));
    const place = named && one(this.form, `[data-row="${named}"]`, HTMLElement).dataset.letter;
    const label = this.labels.get(card) ?? card;
    one(button, ".visually-hidden", HTMLElement).textContent = place ? `${label}, ${place}` : label;
  }

  /**
   * Arrows move among the cards; rank and suit pick a card; Backspace takes the last one back.
   * @param {KeyboardEvent} event
   */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toUpperCase();
    /** @type {Record<string, number>} */
    const steps = { ARROWLEFT: -1, ARROWRIGHT: 1, ARROWUP: -COLUMNS, ARROWDOWN: COLUMNS };
    if (key in steps) {
      event.preventDefault();
      this.move(/** @type {HTMLButtonElement} */ (event.target), steps[key]);
    } else if (key === "BACKSPACE") this.back();
    else if (key === "G" && this.active === "plays") this.go();
    else if (this.rank && "CDHS".includes(key)) {
      this.tap(this.rank + key);
      this.rank = "";
    } else this.rank = /^[A2-9TJQK]$/.test(key) ? key : key === "0" && this.rank === "1" ? "T" : "";
  }

  /**
   * @param {HTMLButtonElement} from
   * @param {number} by
   */
  move(from, by) {
    const next = this.cards[this.cards.indexOf(from) + by];
    if (!next) return;
    from.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  /** @param {number} [pause] */
  askSoon(pause = PAUSE_MS) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), pause);
  }

  /** Fetch the form's address, and show its answer in this page. */
  async ask() {
    clearTimeout(this.timer);
    this.asking?.abort();
    this.asking = new AbortController();
    const told = [...new FormData(this.form)]
      .map(([name, value]) => [name, String(value).trim()])
      .filter(([, value]) => value !== "");
    const address = `${location.pathname}?${new URLSearchParams(told)}`;
    try {
      const answer = await fetch(address, { signal: this.asking.signal });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const found = page.querySelector("[data-result]");
      if (!found) {
        this.fail("busy");
        return;
      }
      this.succeed();
      const had = hasAnswer();
      document.title = page.title;
      one(document, "[data-result]", HTMLElement).replaceWith(document.importNode(found, true));
      history.replaceState(null, "", address);
      this.answered();
      if (this.active === "starter" && this.rows.starter.length) this.choose(this.wanted());
      if (!had && hasAnswer()) bringIntoView();
    } catch (problem) {
      if (!(problem instanceof DOMException && problem.name === "AbortError")) this.fail("lost");
    }
  }

  /**
   * Say why there is no answer, and try again after a while, each time later.
   * @param {"busy" | "lost"} reason
   */
  fail(reason) {
    this.status.textContent = dataOf(this.form, reason);
    this.status.classList.add("analysis-wrong");
    this.again.hidden = false;
    const seconds = PAUSES_S[this.failed];
    this.failed += 1;
    if (seconds) this.askSoon(1000 * seconds);
  }

  succeed() {
    this.failed = 0;
    if (document.activeElement === this.again) this.cards.find((it) => it.tabIndex === 0)?.focus();
    this.again.hidden = true;
  }

  /** Finish what the server has sent; ask again while the engine gets ready. */
  answered() {
    const result = one(document, "[data-result]", HTMLElement);
    if (result.querySelector("[data-share]")) enhance(one(result, ".analysis-more", HTMLElement));
    this.status.textContent = result.querySelector("[data-said]")?.textContent?.trim() ?? "";
    this.status.classList.toggle("analysis-wrong", !!result.querySelector(".analysis-problem"));
    if (result.dataset.pending === undefined) return;
    this.askSoon(Number(result.dataset.pending) * 1000 || RETRY_MS);
  }
}

function hasAnswer() {
  return document.querySelector("[data-result] .analysis-choice") !== null;
}

/** Whether the reader comes back to this page, and finds it scrolled as they left it. */
function isReturn() {
  const [visit] = performance.getEntriesByType("navigation");
  return /** @type {PerformanceNavigationTiming} */ (visit).type !== "navigate";
}

/** Scroll to the first answer where it is below the pack. */
function bringIntoView() {
  const result = one(document, "[data-result]", HTMLElement);
  if (result.getBoundingClientRect().top < innerHeight * 0.7) return;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  result.scrollIntoView({ behavior: still ? "auto" : "smooth", block: "start" });
}

/** @param {string} token */
function chip(token) {
  const made = document.createElement("span");
  if (token === GO) {
    made.className = "said-go";
    made.textContent = GO;
    return made;
  }
  const button = document.querySelector(`[data-pack] [data-card="${token}"]`);
  made.className = button?.className ?? "mini";
  made.append(...[...(button?.children ?? [])].map((child) => child.cloneNode(true)));
  return made;
}

if (globalThis.document) new Board(one(document, "form[data-board]", HTMLFormElement));
