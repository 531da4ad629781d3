/* Entry of a game card by card: each pick is sent to the server, which says what comes next. */

import { csrfToken } from "../net/csrf.js";
import { read } from "../pages/card_picker.js";
import { gettext } from "../text/translations.js";
import { dataOf } from "../ui/dom.js";
import { keep, recall, storageOf } from "../ui/storage.js";
import { added, begun, shorter, storable, wrong } from "./record.js";

/** @import { Answer, Draft, EntryState, GameRecord } from "./types.js" */
/** @import { Card } from "../net/messages.js" */
/** @import { Store } from "../ui/store.js" */

const DRAFT = "cribbage.entry";
const TOO_OFTEN = 429;
const SEATS = ["name_0", "name_1", "name_2", "me"];
const RULES = /** @type {const} */ (["players", "target", "first_dealer"]);

export class Entry {
  /** @param {{ store: Store<EntryState>, form: HTMLFormElement }} props */
  constructor({ store, form }) {
    this.store = store;
    this.form = form;
    this.storage = storageOf("sessionStorage");
    /** The account; empty for visitors and guests. */
    this.owner = dataOf(form, "owner");
    /** The newest game that this player has entered or imported. */
    this.newest = dataOf(form, "newest");
    this.asking = 0;
    /** The record that was checked last. @type {GameRecord | null} */
    this.sent = null;
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
    const returned = parsed(this.field("record").value);
    const draft = returned ? null : this.draft();
    const kept = returned ?? draft?.record;
    if (kept?.hands?.length) {
      for (const name of RULES) this.field(name).value = String(kept[name]);
      for (const name of draft ? SEATS : []) this.field(name).value = draft?.seats[name] ?? "";
      this.sent = kept;
      await this.again();
    } else await this.restart();
  }

  /**
   * The draft of this tab; null if there is none, if it has been saved, or if it is another account's.
   * @returns {Draft | null}
   */
  draft() {
    const draft = /** @type {Draft | null} */ (parsed(recall(this.storage, DRAFT)));
    if (!draft?.record) return null;
    const own = draft.owner === this.owner || draft.owner === ""; // they may have logged in since
    return own && (draft.sent ?? this.newest) === this.newest ? draft : null;
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
    this.sent = record;
    this.asking += 1;
    const mine = this.asking;
    const before = this.store.get().typed;
    this.store.set({ busy: true });
    const { answer, error } = await this.ask(record);
    if (mine !== this.asking) return false;
    const { typed } = this.store.get();
    if (error) {
      this.store.set({ busy: false, error, ...(error.lost ? {} : { chosen: [], typed: "" }) });
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
      if (answer.ok) return { answer: data };
      return { error: { ...data.error, lost: answer.status === TOO_OFTEN } };
    } catch {
      return { error: { reason: gettext("The server isn't responding. Try again."), lost: true } };
    }
  }

  /** Ask what the server has not judged. A record of earlier that it refuses makes room for a new one. */
  async again() {
    const { record, busy } = this.store.get();
    if (busy || !this.sent) return;
    await this.check(this.sent);
    const { error } = this.store.get();
    if (!record && this.sent.hands.length && error && !error.lost) await this.restart();
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
    await this.check(added(record, asked, chosen));
  }

  async undo() {
    const { record, busy } = this.store.get();
    if (!busy && record?.hands.length) await this.check(shorter(record));
  }

  async restart() {
    await this.check(begun(this.rules()));
  }

  /** Apply changed names or rules; the rules apply only while no card has been entered. */
  changed() {
    const { record } = this.store.get();
    const current = record ?? this.sent; // a draft may not have been checked yet
    if (!current?.hands.length) return this.restart();
    return record ? this.check(record) : this.again();
  }

  keep() {
    const { record, asked } = this.store.get();
    if (!record || !asked) return;
    this.field("record").value = JSON.stringify(storable(record, asked));
    this.#keep({ record });
  }

  /**
   * Mark the draft as sent: it is forgotten once the newest game of this player is another one. If the
   * form gets lost on its way, it is found again.
   */
  submitted() {
    this.field("csrfmiddlewaretoken").value = csrfToken(this.form);
    const { record } = this.store.get();
    if (record) this.#keep({ record, sent: this.newest });
  }

  /** @param {{ record: GameRecord, sent?: string }} draft */
  #keep(draft) {
    const seats = Object.fromEntries(SEATS.map((name) => [name, this.field(name).value]));
    keep(this.storage, DRAFT, JSON.stringify({ ...draft, owner: this.owner, seats }));
  }
}

/** @param {string | null} text */
function parsed(text) {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}
