/* The review beside a replay: what the analysis thinks of the step that is shown.

   It fills #review-panel and knows the replay by its events alone: `replay:step` says what is
   shown, `replay:goto` asks for another step. */

import { gettext } from "./texts.js";

const POLL_MS = 500;
const SLOW_MS = 4000; // after an answer that did not come, or a long queue
const SIGNS = { C: "♣", D: "♦", H: "♥", S: "♠" };

/** Return the decision that led to a step, or undefined. */
export function decisionAt(items, step) {
  return items.find((item) => item.step === step - 1);
}

/** Return the nearest mistake or blunder after (`way` 1) or before (-1) what led to a step. */
export function nextWrong(items, step, way) {
  const wrong = items.filter((item) => item.wrong && (item.step - (step - 1)) * way > 0);
  return way > 0 ? wrong[0] : wrong.at(-1);
}

/** Return each seat's chance at a step: of the last step before it that moved one. */
export function chancesAt(chances, step) {
  const before = Object.keys(chances)
    .map(Number)
    .filter((at) => at <= step);
  return before.length ? chances[Math.max(...before)] : null;
}

/** Return a card as text: "5♥". */
export function cardText(name) {
  return name[0].replace("T", "10") + SIGNS[name[1]];
}

function node(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== null));
  return made;
}

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

export class ReviewPanel {
  constructor(panel) {
    this.panel = panel;
    this.address = `/matches/${panel.dataset.match}/review.json`;
    this.data = null;
    this.step = 0;
  }

  async load() {
    try {
      const answer = await fetch(this.address, { headers: { Accept: "application/json" } });
      if (answer.status === 404) return; // nothing that this reader may see
      if (!answer.ok) throw new Error(`${answer.status} at ${this.address}`);
      this.data = await answer.json();
      this.show();
      const { status } = this.data;
      if (status === "working") setTimeout(() => this.load(), POLL_MS);
      else if (status === "busy") setTimeout(() => this.load(), SLOW_MS);
    } catch {
      setTimeout(() => this.load(), SLOW_MS);
    }
  }

  at(step) {
    this.step = step;
    if (this.data) this.show();
  }

  go(item) {
    const detail = { step: item.step + 1, part: 0 };
    document.dispatchEvent(new CustomEvent("replay:goto", { detail }));
  }

  show() {
    const { items, status } = this.data;
    const focused = this.panel.contains(document.activeElement) && document.activeElement.name;
    this.panel.replaceChildren(
      node(
        "div",
        { class: "beside-replay" },
        node("h2", {}, gettext("Review")),
        status === "done" ? null : this.progress(),
        this.decision(decisionAt(items, this.step)),
        this.chances(),
        this.buttons(items),
        node("a", { href: this.data.page }, gettext("The whole review")),
      ),
    );
    if (focused) this.panel.querySelector(`button[name="${focused}"]`)?.focus();
  }

  progress() {
    const { status, done, total } = this.data;
    const said =
      status === "failed"
        ? gettext("This match could not be reviewed.")
        : gettext("%(done)s of %(total)s decisions judged", { done, total });
    return node("p", { class: "beside-progress" }, said);
  }

  decision(item) {
    if (!item) {
      return node("p", { class: "beside-none" }, gettext("Nothing was decided at this step."));
    }
    const did = item.action === "discard" ? gettext("threw") : gettext("played");
    const box = node(
      "div",
      { class: "beside-decision", "data-verdict": item.verdict },
      node("span", { class: `verdict verdict-${item.verdict}` }, item.verdict_name),
      node("p", {}, `${item.name} ${did} `, chips(item.chosen)),
    );
    if (item.best) box.append(node("p", {}, `${gettext("Best was")} `, chips(item.best)));
    if (item.points) {
      const lost = gettext("%(points)s points, %(chance)s to win", item);
      box.append(node("p", { class: "decision-lost" }, lost));
    }
    if (item.hindsight) {
      const head = node("strong", {}, gettext("In hindsight:"));
      box.append(node("p", { class: "hindsight" }, head, ` ${item.hindsight}`));
    }
    return box;
  }

  chances() {
    const found = chancesAt(this.data.chances, this.step);
    if (!found) return null;
    const { names } = this.data;
    const said = found.map((chance, seat) => `${names[seat]} ${Math.round(100 * chance)} %`);
    const text = gettext("To win, all cards known: %(chances)s", { chances: said.join(", ") });
    return node("p", { class: "beside-chances" }, text);
  }

  buttons(items) {
    const ways = [
      ["before", -1, gettext("Mistake before")],
      ["after", 1, gettext("Next mistake")],
    ];
    return node(
      "div",
      { class: "beside-buttons" },
      ...ways.map(([name, way, label]) => {
        const item = nextWrong(items, this.step, way);
        const button = node("button", { type: "button", name }, label);
        button.disabled = !item;
        button.addEventListener("click", () => this.go(item));
        return button;
      }),
    );
  }
}

const place = globalThis.document?.querySelector("#review-panel");
if (place) {
  const panel = new ReviewPanel(place);
  document.addEventListener("replay:step", ({ detail }) => panel.at(detail.step));
  document.dispatchEvent(new CustomEvent("replay:ask"));
  panel.load();
}
