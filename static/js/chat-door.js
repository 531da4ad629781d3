/* The door of the chat: what the table knows of it before anybody has opened it. The chat itself,
   chat.js with its style sheet, comes when somebody opens it or writes. */

import { gettext, ngettext } from "./texts.js";

const SEEN = "cribbage.chat.seen"; // the number of the last line that was looked at; lines of all tables count on
const SHOWN = 90; // characters of a line that a notice shows

export const CLOSED = {
  chat: null, // how it stands, from the server
  lines: [], // oldest first
  chatOpen: false,
  chatSaid: null, // why the last line was not taken
  unread: 0,
  Chat: null, // the panel, once it has come
};

export class ChatDoor {
  constructor({
    store,
    announcer,
    notice,
    send,
    storage = globalThis.localStorage,
    load = fetched,
  }) {
    this.store = store;
    this.announcer = announcer;
    this.notice = notice;
    this.send = send;
    this.storage = storage;
    this.load = load;
    this.waiting = new Map(); // id of a line that is not answered -> its text
  }

  /** How the chat stands, with all lines: on joining, and when something was switched. */
  told({ lines, ...chat }) {
    this.store.set({ chat, lines });
    this.count();
    if (this.store.get().unread) this.fetch();
  }

  /** One new line. */
  async said(line) {
    const others = this.store.get().lines.filter((known) => known.n !== line.n);
    this.store.set({ lines: [...others, line].sort((one, other) => one.n - other.n) });
    this.count();
    if (line.own) return;
    const { words } = await this.fetch();
    const text = gettext("%(name)s: %(words)s", { name: line.name, words: words(line) });
    this.announcer.say(text);
    const { unread } = this.store.get();
    if (unread) this.notice(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
  }

  /** Count what nobody has looked at; an open chat is looked at. */
  count() {
    const { chatOpen, lines } = this.store.get();
    const last = lines.at(-1)?.n ?? 0;
    if (chatOpen) this.keep(Math.max(last, this.seen()));
    const seen = this.seen();
    this.store.set({ unread: lines.filter((line) => !line.own && line.n > seen).length });
  }

  async open(open) {
    this.store.set({ chatOpen: open, chatSaid: null });
    if (!open) return;
    this.count();
    await this.fetch();
  }

  /** Send a line, a phrase or a text; nothing of it is lost if it is refused. */
  say(words) {
    this.store.set({ chatSaid: null });
    this.waiting.set(this.send("say", words), words.text ?? "");
  }

  /** Whether this refusal answers a line: then the chat says why, and gives the text back. */
  refused(id, message) {
    if (!this.waiting.has(id)) return false;
    const text = this.waiting.get(id);
    this.waiting.delete(id);
    this.store.set({ chatSaid: { message, text } });
    this.announcer.insist(message);
    return true;
  }

  taken(id) {
    this.waiting.delete(id);
  }

  async fetch() {
    this.coming ??= this.load();
    const module = await this.coming;
    this.store.set({ Chat: module.Chat });
    return module;
  }

  seen() {
    try {
      return Number(this.storage.getItem(SEEN) ?? 0);
    } catch {
      return this.last ?? 0;
    }
  }

  keep(number) {
    this.last = number;
    try {
      this.storage.setItem(SEEN, String(number));
    } catch {
      // Private windows may refuse: then it is forgotten with the page.
    }
  }
}

/** The module and its style sheet. */
async function fetched() {
  const address = document.getElementById("table").dataset.chatStyle;
  const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: address });
  const styled = new Promise((done) => {
    style.onload = done;
    style.onerror = done;
  });
  document.head.append(style);
  const [module] = await Promise.all([import("./chat.js"), styled]);
  return module;
}

/** What the button in the bar is called; null where there is nobody to write to. */
export function doorLabel({ chat, unread }) {
  if (!chat || chat.mode === "none") return null;
  if (!unread) return gettext("Chat");
  return ngettext("Chat, %(n)s new line", "Chat, %(n)s new lines", unread);
}
