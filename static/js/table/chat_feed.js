/* The chat of a table: its lines, and the number of unread ones. The panel (chat_panel.js and its style
   sheet) is loaded when the chat is opened or a line arrives. */

import { gettext, ngettext } from "../text/translations.js";
import { dataOf, one } from "../ui/dom.js";
import { keep, recall, storageOf } from "../ui/storage.js";

/** @import { Announcer } from "../access/announcer.js" */
/** @import { Chat, ChatLine, ChatSettings, ChatWords } from "../net/messages.js" */
/** @import { Store } from "../ui/store.js" */
/** @import { TableState } from "./types.js" */

const SEEN = "cribbage.chat.seen"; // the number of the last line that was read; lines are numbered across all tables
const SHOWN = 90; // characters of a line in a notice

/** @typedef {typeof import("./chat_panel.js")} ChatPanel */
/**
 * @typedef {object} ChatState
 * @property {ChatSettings | null} chat - the settings, from the server
 * @property {ChatLine[]} lines - oldest first
 * @property {boolean} chatOpen
 * @property {{ message: string, text: string } | null} chatSaid - why the last line was refused
 * @property {string} chatDraft - the text being written, which stays when the chat is closed
 * @property {number} unread
 * @property {ChatPanel["Chat"] | null} Chat - the panel, once it has been loaded
 */

/** @type {ChatState} */
export const NO_CHAT = {
  chat: null,
  lines: [],
  chatOpen: false,
  chatSaid: null,
  chatDraft: "",
  unread: 0,
  Chat: null,
};

export class ChatFeed {
  /**
   * @param {object} parts
   * @param {Store<TableState>} parts.store
   * @param {Announcer} parts.announcer
   * @param {(text: string) => void} parts.notice - shows a line outside the chat
   * @param {(words: ChatWords) => string} parts.send - sends a line and returns its id
   * @param {Storage | null} [parts.storage]
   * @param {() => Promise<ChatPanel>} [parts.load]
   */
  constructor({
    store,
    announcer,
    notice,
    send,
    storage = storageOf("localStorage"),
    load = fetched,
  }) {
    this.store = store;
    this.announcer = announcer;
    this.notice = notice;
    this.send = send;
    this.storage = storage;
    this.load = load;
    /** @type {Map<string, string>} */
    this.waiting = new Map(); // the text of each unanswered line, by id
    this.last = 0;
    /** @type {Promise<ChatPanel> | undefined} */
    this.coming = undefined;
    this.failed = false; // whether the last click did not open the panel
  }

  /**
   * Take over settings and all lines: on joining, and after a change of settings.
   * @param {Chat} props
   */
  replace({ lines, ...chat }) {
    this.store.set({ chat, lines });
    this.count();
    if (this.store.get().unread) this.fetch();
  }

  /**
   * Add a new line.
   * @param {ChatLine} line
   */
  async addLine(line) {
    const others = this.store.get().lines.filter((known) => known.n !== line.n);
    this.store.set({ lines: [...others, line].sort((one, other) => one.n - other.n) });
    this.count();
    if (line.own) return;
    const panel = await this.fetch();
    if (!panel) return; // the button shows that there is a new message
    const text = gettext("%(name)s: %(words)s", { name: line.name, words: panel.words(line) });
    this.announcer.say(text);
    const { unread } = this.store.get();
    if (unread) this.notice(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
  }

  /** Count the unread lines; none while the chat is open. */
  count() {
    const { chatOpen, lines } = this.store.get();
    const last = lines.at(-1)?.n ?? 0;
    if (chatOpen) this.keep(Math.max(last, this.seen()));
    const seen = this.seen();
    this.store.set({ unread: lines.filter((line) => !line.own && line.n > seen).length });
  }

  /** @param {boolean} open */
  async open(open) {
    this.store.set({ chatOpen: open });
    if (!open) return this.store.set({ chatSaid: null });
    if (await this.fetch()) {
      this.failed = false;
      return this.count();
    }
    this.store.set({ chatOpen: false });
    // After an update of the site, a page from before it asks for a file that is gone.
    const text = this.failed
      ? gettext("The chat can't load here. Reload the page.")
      : gettext("Connection lost. Try again.");
    this.failed = true;
    this.announcer.insist(text);
    this.notice(text);
  }

  /** @param {string} text */
  write(text) {
    this.store.set({ chatDraft: text });
  }

  /**
   * Send a phrase or a text, and keep the text in case it is refused.
   * @param {ChatWords} words
   */
  say(words) {
    this.store.set({ chatSaid: null });
    if (words.text) this.write("");
    this.waiting.set(this.send(words), words.text ?? "");
  }

  /**
   * Handle the refusal of a line: show why, also if the chat is closed, and restore the text. Returns
   * whether it was one.
   * @param {string | undefined} id
   * @param {string} message
   */
  refused(id, message) {
    const text = this.settle(id);
    if (text === undefined) return false;
    const { chatDraft, chatOpen } = this.store.get();
    this.store.set({ chatSaid: { message, text }, chatDraft: chatDraft || text });
    this.announcer.insist(message);
    if (!chatOpen) this.notice(message);
    return true;
  }

  /** @param {string | undefined} id */
  settle(id) {
    if (id === undefined) return undefined;
    const text = this.waiting.get(id);
    this.waiting.delete(id);
    return text;
  }

  /** Load the panel; null if that failed, and the next line or click tries again. */
  async fetch() {
    this.coming ??= this.load();
    try {
      const module = await this.coming;
      this.store.set({ Chat: module.Chat });
      return module;
    } catch {
      this.coming = undefined;
      return null;
    }
  }

  seen() {
    return Math.max(this.last, Number(recall(this.storage, SEEN)));
  }

  /** @param {number} number */
  keep(number) {
    this.last = number;
    keep(this.storage, SEEN, String(number));
  }
}

/** Load the module and its style sheet. */
async function fetched() {
  const address = dataOf(one(document, "#table", HTMLElement), "chatStyle");
  const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: address });
  const styled = new Promise((done, fail) => {
    style.onload = done;
    style.onerror = fail;
  });
  document.head.append(style);
  try {
    const [module] = await Promise.all([import("./chat_panel.js"), styled]);
    return module;
  } catch (problem) {
    style.remove();
    throw problem;
  }
}

/**
 * The label of the chat button; null if there is nobody to write to.
 * @param {Pick<TableState, "chat" | "unread">} props
 */
export function chatButtonLabel({ chat, unread }) {
  if (!chat || chat.mode === "none") return null;
  if (!unread) return gettext("Chat");
  return ngettext("Chat, %(n)s new message", "Chat, %(n)s new messages", unread);
}
