/* The review beside a replay: the analysis of the step that is shown.

   It fills #review-panel and uses only events: `replay:step` says what is shown, `replay:goto` asks
   for another step. */

import { pageLanguage } from "../text/local_time.js";
import { gettext } from "../text/translations.js";
import { retryPause } from "../ui/retry_pause.js";

/**
 * A judged decision; `loss` is what it cost, in words.
 * @typedef {object} ReviewItem
 * @property {number} step
 * @property {"discard" | "play"} action
 * @property {string} name
 * @property {string} chosen
 * @property {string} best
 * @property {string} verdict
 * @property {string} verdict_name
 * @property {boolean} wrong
 * @property {string} reason
 * @property {string} loss
 * @property {string} hindsight
 */
/**
 * @typedef {object} Review
 * @property {"working" | "busy" | "retrying" | "done" | "failed"} status
 * @property {number} done
 * @property {number} total
 * @property {string} page
 * @property {string[]} names
 * @property {ReviewItem[]} items
 * @property {Record<string, number[]>} chances
 */

const POLL_MS = 500;
const SLOW_MS = 4000; // after a failed request, or while the queue is long
/** @type {Record<string, string>} */
const SIGNS = { C: "♣", D: "♦", H: "♥", S: "♠" };

/**
 * Return the decision that led to a step, or undefined.
 * @param {ReviewItem[]} items
 * @param {number} step
 */
export function decisionAt(items, step) {
  return items.find((item) => item.step === step - 1);
}

/**
 * Return the nearest mistake or blunder after (`way` 1) or before (-1) the decision that led to a step.
 * @param {ReviewItem[]} items
 * @param {number} step
 * @param {number} way
 */
export function nextWrong(items, step, way) {
  const wrong = items.filter((item) => item.wrong && (item.step - (step - 1)) * way > 0);
  return way > 0 ? wrong[0] : wrong.at(-1);
}

/**
 * Return each seat's chance at a step: that of the last earlier step that changed it.
 * @param {Record<string, number[]>} chances
 * @param {number} step
 */
export function chancesAt(chances, step) {
  const before = Object.keys(chances)
    .map(Number)
    .filter((at) => at <= step);
  return before.length ? chances[Math.max(...before)] : null;
}

/**
 * Return a card as text: "5♥".
 * @param {string} name
 */
export function cardText(name) {
  return name[0].replace("T", "10") + SIGNS[name[1]];
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string>} [attributes]
 * @param {...(string | Node | null)} children
 */
function node(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** @param {string} names */
function chips(names) {
  const cards = names.split(" ").filter(Boolean);
  return node(
    "span",
    { class: "chips" },
    ...cards.map((name) =>
      node("span", { class: `chip suit-${name[1].toLowerCase()}` }, cardText(name)),
    ),
  );
}

class ReviewPanel {
  /** @param {HTMLElement} panel */
  constructor(panel) {
    this.panel = panel;
    this.address = `/matches/${panel.dataset.match}/review.json`;
    /** @type {Review | null} */
    this.data = null;
    /** @type {number | null} */
    this.step = null; // until the replay tells its step, and can go to another
    this.failed = false; // whether the last request did
    this.retries = 0; // how often in a row the review was waiting for its next try
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  async load() {
    clearTimeout(this.timer);
    try {
      const answer = await fetch(this.address, { headers: { Accept: "application/json" } });
      if (answer.status === 404) {
        this.close();
        return;
      }
      if (!answer.ok) throw new Error(`${answer.status} at ${this.address}`);
      /** @type {Review} */
      const data = await answer.json();
      this.data = data;
      this.failed = false;
      this.show();
      const { status } = data;
      this.retries = status === "retrying" ? this.retries + 1 : 0;
      if (status === "retrying") this.loadIn(retryPause(this.retries));
      else if (status === "working") this.loadIn(POLL_MS);
      else if (status === "busy") this.loadIn(SLOW_MS);
    } catch {
      this.failed = true;
      this.show();
      this.loadIn(SLOW_MS);
    }
  }

  /** Show nothing: this reader may see none of it, perhaps since they have logged out. */
  close() {
    this.data = null;
    this.failed = false;
    this.panel.replaceChildren();
  }

  /** @param {number} ms */
  loadIn(ms) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(), ms);
  }

  /** @param {number} step */
  at(step) {
    this.step = step;
    this.show();
  }

  /** @param {ReviewItem} item */
  go(item) {
    const detail = { step: item.step + 1, part: 0 };
    document.dispatchEvent(new CustomEvent("replay:goto", { detail }));
  }

  show() {
    const { data, step, failed } = this;
    if (step === null || (!data && !failed)) return;
    const active = document.activeElement;
    const focused = this.panel.contains(active) && active?.getAttribute("name");
    this.panel.replaceChildren(
      node(
        "div",
        { class: "beside-replay" },
        node("h2", {}, gettext("Review")),
        ...(data ? this.parts(data, step) : this.failure()),
      ),
    );
    const again = this.panel.querySelector(`button[name="${focused}"]`);
    if (again instanceof HTMLButtonElement) again.focus();
  }

  /** What is shown before anything is known. */
  failure() {
    const button = node("button", { type: "button", name: "again" }, gettext("Try again"));
    button.addEventListener("click", () => this.load());
    return [
      node("p", { class: "beside-progress", role: "status" }, gettext("The review didn't load.")),
      node("div", { class: "beside-buttons" }, button),
    ];
  }

  /** What is said beside the progress while it cannot be asked for. */
  lost() {
    const said = gettext("Connection lost. Trying again…");
    return node("p", { class: "beside-progress", role: "status" }, said);
  }

  /**
   * @param {Review} data
   * @param {number} step
   */
  parts(data, step) {
    const { items, status } = data;
    return [
      status === "done" ? null : this.progress(data),
      this.failed ? this.lost() : null,
      this.decision(decisionAt(items, step)) ?? this.noDecision(decisionAt(items, step + 1)),
      this.chances(data, step),
      this.buttons(items, step),
      node("a", { href: data.page }, gettext("Full review")),
    ];
  }

  /** @param {Review} data */
  progress({ status, done, total }) {
    /** @type {Record<string, string>} */
    const stopped = {
      failed: gettext("We couldn't review this match."),
      retrying: gettext("The review was interrupted. We're trying again."),
    };
    const said =
      stopped[status] ?? gettext("%(done)s of %(total)s decisions reviewed", { done, total });
    return node("p", { class: "beside-progress" }, said);
  }

  /**
   * What to say between decisions; links from a review lead to the moment before one.
   * @param {ReviewItem | undefined} next
   */
  noDecision(next) {
    const said = next
      ? gettext("A decision comes next. Step on to see the verdict.")
      : gettext("No decision at this step.");
    return node("p", { class: "beside-none" }, said);
  }

  /** @param {ReviewItem | undefined} item */
  decision(item) {
    if (!item) return null;
    const did = item.action === "discard" ? gettext("threw") : gettext("played");
    const box = node(
      "div",
      { class: "beside-decision", "data-verdict": item.verdict },
      node("span", { class: `verdict verdict-${item.verdict}` }, item.verdict_name),
      node("p", {}, `${item.name} ${did} `, chips(item.chosen)),
    );
    if (item.best) box.append(node("p", {}, `${gettext("Best was")} `, chips(item.best)));
    if (item.reason) box.append(node("p", { class: "reason" }, item.reason));
    if (item.loss) box.append(node("p", { class: "decision-lost" }, item.loss));
    if (item.hindsight) {
      const head = node("strong", {}, gettext("In hindsight:"));
      box.append(node("p", { class: "hindsight" }, head, ` ${item.hindsight}`));
    }
    return box;
  }

  /**
   * @param {Review} data
   * @param {number} step
   */
  chances({ chances, names }, step) {
    const found = chancesAt(chances, step);
    if (!found) return null;
    const format = new Intl.NumberFormat(pageLanguage(), { style: "percent" });
    const said = found.map((chance, seat) => `${names[seat]} ${format.format(chance)}`);
    const text = gettext("Chances to win, all cards known: %(chances)s", {
      chances: said.join(", "),
    });
    return node("p", { class: "beside-chances" }, text);
  }

  /**
   * @param {ReviewItem[]} items
   * @param {number} step
   */
  buttons(items, step) {
    /** @type {[name: string, way: number, label: string][]} */
    const ways = [
      ["before", -1, gettext("Previous mistake")],
      ["after", 1, gettext("Next mistake")],
    ];
    return node(
      "div",
      { class: "beside-buttons" },
      ...ways.map(([name, way, label]) => {
        const item = nextWrong(items, step, way);
        const button = node("button", { type: "button", name }, label);
        button.disabled = !item;
        if (item) button.addEventListener("click", () => this.go(item));
        return button;
      }),
    );
  }
}

const place = globalThis.document?.getElementById("review-panel");
if (place) {
  const panel = new ReviewPanel(place);
  document.addEventListener("replay:step", ({ detail }) => panel.at(detail.step));
  document.dispatchEvent(new CustomEvent("replay:ask"));
  panel.load();
}
