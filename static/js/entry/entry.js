/* A game being entered: what has been picked goes to the server, which answers what comes next. */

import { read } from "../pages/picker.js";
import { gettext } from "../texts.js";
import { added, begun, storable, wrong } from "./record.js";

const DRAFT = "cribbage.entry";

export class Entry {
  constructor({ store, form }) {
    this.store = store;
    this.form = form;
    this.past = [];
    this.asking = 0;
  }

  field(name) {
    return this.form.elements.namedItem(name);
  }

  rules() {
    const number = (name) => Number(this.field(name).value);
    const players = number("players");
    const dealer = Math.min(number("first_dealer"), players - 1);
    return { players, target: number("target"), first_dealer: dealer };
  }

  names() {
    return [0, 1, 2].map((seat) => this.field(`name_${seat}`).value.trim());
  }

  /** Begin with what the form brought back, or a draft of this tab, or nothing. */
  async start() {
    const kept = parsed(this.field("record").value) ?? parsed(sessionStorage.getItem(DRAFT));
    if (kept?.hands?.length) {
      for (const name of ["players", "target", "first_dealer"]) this.field(name).value = kept[name];
      await this.check(kept);
      if (!this.store.get().error) return;
    }
    await this.check(begun(this.rules()));
  }

  /** Ask the server about `record`; it is taken over unless something is wrong with it. */
  async check(record) {
    this.asking += 1;
    const mine = this.asking;
    this.store.set({ busy: true });
    const { answer, error } = await this.ask(record);
    if (mine !== this.asking) return false;
    if (error) {
      this.store.set({ busy: false, error, chosen: [], typed: "" });
      return false;
    }
    this.store.set({ busy: false, record, asked: answer, error: null, chosen: [], typed: "" });
    this.keep();
    return true;
  }

  async ask(record) {
    try {
      const answer = await fetch(this.form.dataset.check, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          "X-CSRFToken": this.field("csrfmiddlewaretoken").value,
        },
        body: JSON.stringify({ ...record, names: this.names() }),
      });
      const data = await answer.json();
      return answer.ok ? { answer: data } : { error: data.error };
    } catch {
      return { error: { reason: gettext("The server does not answer. Please try again.") } };
    }
  }

  /** A card was tapped: with the last one that is asked for all of them are entered. */
  pick(card) {
    const { chosen, asked, busy } = this.store.get();
    if (busy || !asked.cards.includes(card)) return;
    const next = chosen.includes(card)
      ? chosen.filter((other) => other !== card)
      : [...chosen, card].slice(-asked.number);
    this.store.set({ chosen: next, typed: next.join(" "), problem: null });
    if (next.length === asked.number) this.enter();
  }

  /** Something was typed: say at once what is wrong with it. */
  type(text) {
    const { asked } = this.store.get();
    const cards = read(text);
    const problem = text.trim() ? wrong(cards, asked) : null;
    this.store.set({ typed: text, problem, chosen: problem ? [] : (cards ?? []), error: null });
  }

  /** Put what was picked into the record. */
  async enter() {
    const { chosen, asked, record, problem, busy } = this.store.get();
    if (busy || problem || chosen.length !== asked.number) return;
    if (await this.check(added(record, asked, chosen))) this.past.push(record);
  }

  async undo() {
    const { record, busy } = this.store.get();
    if (busy) return;
    const before = this.past.pop() ?? shorter(record);
    if (before) await this.check(before);
  }

  async restart() {
    this.past = [];
    await this.check(begun(this.rules()));
  }

  /** The rules were changed: only while there is no card yet. */
  changed() {
    const { record } = this.store.get();
    if (!record?.hands.length) return this.restart();
    return this.check(record);
  }

  keep() {
    const { record, asked } = this.store.get();
    this.field("record").value = JSON.stringify(storable(record, asked));
    sessionStorage.setItem(DRAFT, JSON.stringify(record));
  }

  /** What goes to be stored is no draft any more; if it is refused, the form brings it back. */
  submitted() {
    sessionStorage.removeItem(DRAFT);
  }
}

function parsed(text) {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

/** Without a past, as after a reload, one goes back by a whole hand. */
function shorter(record) {
  return record.hands.length ? { ...record, hands: record.hands.slice(0, -1) } : null;
}
