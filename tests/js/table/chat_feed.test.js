import assert from "node:assert/strict";
import { test } from "node:test";
import { ChatFeed, chatButtonLabel, NO_CHAT } from "../../../static/js/table/chat_feed.js";

const STANDS = { mode: "free", on: true, silent: [], muted: [], blocked: [], barred: null };

class Kept {
  constructor() {
    this.all = {};
  }

  getItem(key) {
    return this.all[key] ?? null;
  }

  setItem(key, value) {
    this.all[key] = value;
  }
}

function line(n, text, own = false) {
  return { n, seat: own ? 0 : 1, name: own ? "Ann" : "Bob", own, phrase: null, text, at: "" };
}

const PANEL = { Chat: "the panel", words: (row) => row.text };

function door(storage = new Kept(), load = async () => PANEL) {
  let state = { ...NO_CHAT };
  const store = {
    get: () => state,
    set: (change) => {
      state = { ...state, ...change };
    },
  };
  const told = { said: [], alarmed: [], shown: [], sent: [], loaded: 0 };
  const made = new ChatFeed({
    store,
    storage,
    announcer: { say: (text) => told.said.push(text), insist: (text) => told.alarmed.push(text) },
    notice: (text) => told.shown.push(text),
    send: (words) => `id-${told.sent.push(words)}`,
    load: () => {
      told.loaded += 1;
      return load();
    },
  });
  return { door: made, told, state: () => state };
}

test("there is no chat button when there is no one to write to", () => {
  assert.equal(chatButtonLabel({ chat: null, unread: 0 }), null);
  assert.equal(chatButtonLabel({ chat: { ...STANDS, mode: "none" }, unread: 0 }), null);
  assert.equal(chatButtonLabel({ chat: STANDS, unread: 0 }), "Chat");
  assert.equal(chatButtonLabel({ chat: STANDS, unread: 2 }), "Chat, 2 new messages");
});

test("another player's line is marked, announced once and shown; the panel loads once", async () => {
  const { door: one, told, state } = door();
  one.replace({ ...STANDS, lines: [] });
  assert.equal(told.loaded, 0, "nothing is loaded before the first line");
  await one.addLine(line(7, "Hello"));
  await one.addLine(line(8, "x".repeat(150)));
  assert.equal(state().unread, 2);
  assert.deepEqual(told.said, ["Bob: Hello", `Bob: ${"x".repeat(150)}`]);
  assert.equal(told.shown[1].length, 91);
  assert.equal(told.loaded, 1);
});

test("a panel that did not load is loaded at the next line or click, and a click says why", async () => {
  let offline = true;
  const load = async () => {
    if (offline) throw new TypeError("Failed to fetch");
    return PANEL;
  };
  const { door: one, told, state } = door(new Kept(), load);
  one.replace({ ...STANDS, lines: [line(6, "Hi")] });
  await one.addLine(line(7, "Hello"));
  assert.deepEqual([state().unread, told.said], [2, []]);
  await one.open(true);
  assert.deepEqual([state().chatOpen, state().unread], [false, 2], "nothing was read");
  assert.deepEqual(told.alarmed, ["Connection lost. Try again."]);
  await one.open(true);
  const reload = "The chat can't load here. Reload the page.";
  assert.deepEqual(told.alarmed.slice(1), [reload], "trying again did not help");
  offline = false;
  await one.open(true);
  assert.deepEqual([state().chatOpen, state().unread, state().Chat], [true, 0, "the panel"]);
});

test("own lines are neither announced nor counted, and a repeated line appears once", async () => {
  const { door: one, told, state } = door();
  one.replace({ ...STANDS, lines: [] });
  await one.addLine(line(9, "Mine", true));
  await one.addLine(line(8, "Before it"));
  await one.addLine(line(8, "Before it"));
  assert.deepEqual(
    state().lines.map((row) => row.n),
    [8, 9],
  );
  assert.equal(state().unread, 1);
  assert.ok(!told.said.some((text) => text.includes("Mine")));
});

test("lines already read are not unread on the next page", async () => {
  const kept = new Kept();
  const { door: one, told, state } = door(kept);
  one.replace({ ...STANDS, lines: [line(5, "Hello")] });
  assert.equal(state().unread, 1);
  await one.open(true);
  assert.equal(state().unread, 0);
  await one.addLine(line(6, "Still there?"));
  assert.deepEqual([state().unread, told.shown], [0, []], "an open chat shows it itself");
  const next = door(kept);
  next.door.replace({ ...STANDS, lines: [line(5, "Hello"), line(6, "Still there?")] });
  assert.equal(next.state().unread, 0);
});

test("a refused line is returned with the reason, and other refusals are ignored", () => {
  const { door: one, told, state } = door();
  one.say({ text: "Too fast" });
  assert.deepEqual(told.sent, [{ text: "Too fast" }]);
  assert.equal(one.refused("another", "no"), false);
  assert.equal(one.refused("id-1", "You write very fast."), true);
  assert.deepEqual(state().chatSaid, { message: "You write very fast.", text: "Too fast" });
  assert.deepEqual(told.alarmed, ["You write very fast."]);
  one.say({ phrase: "hello" });
  one.settle("id-2");
  assert.equal(one.refused("id-2", "no"), false);
});

test("a line that is refused after the chat was closed says why, and its text is not lost", async () => {
  const { door: one, told, state } = door();
  await one.open(true);
  one.say({ text: "Too fast" });
  await one.open(false);
  assert.equal(one.refused("id-1", "You write very fast."), true);
  assert.deepEqual(told.shown, ["You write very fast."]);
  await one.open(true);
  assert.equal(state().chatSaid?.message, "You write very fast.");
  assert.equal(state().chatDraft, "Too fast");
});

test("a line being written stays when the chat is closed, until it is sent", async () => {
  const { door: one, state } = door();
  await one.open(true);
  one.write("One mom");
  await one.open(false);
  await one.open(true);
  assert.equal(state().chatDraft, "One mom");
  one.say({ phrase: "hello" });
  assert.equal(state().chatDraft, "One mom");
  one.say({ text: "One moment" });
  assert.equal(state().chatDraft, "");
});
