/* Entry of a game card by card: each pick is sent to the server, which says what comes next. */

import { csrfToken } from "../net/csrf.js";
import { read } from "../pages/card_picker.js";
import { gettext } from "../text/translations.js";
import { dataOf } from "../ui/dom.js";
import { keep, recall, storageOf } from "../ui/storage.js";
import { added, begun, storable, wrong } from "./record.js";

/** @import { Answer, EntryState, GameRecord } from "./types.js" */
/** @import { Card } from "../net/messages.js" */
/** @import { Store } from "../ui/store.js" */

const DRAFT = "cribbage.entry";
const RULES = /** @type {const} */ (["players", "target", "first_dealer"]);

export class Entry {
  /** @param {{ store: Store<EntryState>, form: HTMLFormElement }} props */
  constructor({ store, form }) {
    this.store = store;
    this.form = form;
    this.storage = storageOf("sessionStorage");
    /** @type {GameRecord[]} */
    this.past = [];
    this.asking = 0;
    /** The end of the newest check. */
    this.checked = Promise.resolve(true);
  }

  /** @param {string} name */
  field(name) {
    return /** @type {HTMLInputElement | HTMLSelectElement} */ (this.form.elements.namedItem(name));
  }

  rules() {
    /** @param {string} name */
    const number = (name) => Number(this.field(name).value);
    const players = number("players");
    const dealer = Math.min(number("first_dealer"), players - 1);
    return { players, target: number("target"), first_dealer: dealer };
  }

  names() {
    return [0, 1, 2].map((seat) => this.field(`name_${seat}`).value.trim());
  }

  /** Begin with the record that the form returned, a draft of this tab, or an empty record. */
  async start() {
    const kept = parsed(this.field("record").value) ?? parsed(recall(this.storage, DRAFT));
    if (kept?.hands?.length) {
      for (const name of RULES) this.field(name).value = String(kept[name]);
      await this.check(kept);
      if (!this.store.get().error) return;
    }
    await this.check(begun(this.rules()));
  }

  /**
   * Have the server check `record`, and adopt it if it is valid. Returns whether it was.
   * @param {GameRecord} record
   */
  check(record) {
    this.checked = this.#check(record);
    return this.checked;
  }

  /** @param {GameRecord} record */
  async #check(record) {
    this.asking += 1;
    const mine = this.asking;
    const before = this.store.get().typed;
    this.store.set({ busy: true });
    const { answer, error } = await this.ask(record);
    if (mine !== this.asking) return false;
    const { typed } = this.store.get();
    if (error) {
      this.store.set({ busy: false, error, chosen: [], typed: "" });
      return false;
    }
    this.store.set({ busy: false, record, asked: answer, error: null, chosen: [], typed: "" });
    if (typed !== before) this.type(typed); // meanwhile, for what comes next
    this.keep();
    return true;
  }

  /**
   * @param {GameRecord} record
   * @returns {Promise<Answer>}
   */
  async ask(record) {
    try {
      const answer = await fetch(dataOf(this.form, "check"), {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          "X-CSRFToken": csrfToken(this.form),
        },
        body: JSON.stringify({ ...record, names: this.names() }),
      });
      const data = await answer.json();
      return answer.ok ? { answer: data } : { error: data.error };
    } catch {
      return { error: { reason: gettext("The server isn't responding. Try again.") } };
    }
  }

  /**
   * Pick a tapped card; once enough are picked, they are entered.
   * @param {Card} card
   */
  pick(card) {
    const { chosen, asked, busy } = this.store.get();
    if (busy || !asked?.cards.includes(card)) return;
    const next = chosen.includes(card)
      ? chosen.filter((other) => other !== card)
      : [...chosen, card].slice(-asked.number);
    this.store.set({ chosen: next, typed: next.join(" "), problem: null });
    if (next.length === asked.number) this.enter();
  }

  /**
   * Read the typed text, and show at once what is wrong with it.
   * @param {string} text
   */
  type(text) {
    const { asked } = this.store.get();
    const cards = read(text);
    const problem = asked && text.trim() ? wrong(cards, asked) : null;
    this.store.set({ typed: text, problem, chosen: problem ? [] : (cards ?? []), error: null });
  }

  /** Put the picked cards into the record, once the server has checked what was entered before. */
  async enter() {
    while (this.store.get().busy) await this.checked;
    const { chosen, asked, record, problem } = this.store.get();
    if (problem || !record || chosen.length !== asked?.number) return;
    if (await this.check(added(record, asked, chosen))) this.past.push(record);
  }

  async undo() {
    const { record, busy } = this.store.get();
    if (busy || !record) return;
    const before = this.past.pop() ?? shorter(record);
    if (before) await this.check(before);
  }

  async restart() {
    this.past = [];
    await this.check(begun(this.rules()));
  }

  /** Apply changed names or rules; the rules apply only while no card has been entered. */
  changed() {
    const { record } = this.store.get();
    if (!record?.hands.length) return this.restart();
    return this.check(record);
  }

  keep() {
    const { record, asked } = this.store.get();
    if (!record || !asked) return;
    this.field("record").value = JSON.stringify(storable(record, asked));
    keep(this.storage, DRAFT, JSON.stringify(record));
  }

  /** Forget the draft once the form is submitted; if the server refuses it, the form returns it. */
  submitted() {
    this.field("csrfmiddlewaretoken").value = csrfToken(this.form);
    keep(this.storage, DRAFT, null);
  }
}

/**
 * @param {string | null} text
 * @returns {GameRecord | null}
 */
function parsed(text) {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

/**
 * The record without its last hand: undo after a reload, when single steps are unknown.
 * @param {GameRecord} record
 */
function shorter(record) {
  return record.hands.length ? { ...record, hands: record.hands.slice(0, -1) } : null;
}
