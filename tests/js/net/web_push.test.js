import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { isFor, keyBytes, subscribe, unsubscribe } from "../../../static/js/net/web_push.js";

const OLD_KEY = "BBBB";
const KEY = "BCCC";

/** A push manager that, like those of browsers, refuses a second key. */
class FakeManager {
  made = null;
  number = 0;
  broken = false;

  async getSubscription() {
    return this.made;
  }

  async subscribe({ applicationServerKey: key }) {
    if (this.broken) throw new DOMException("Registration failed - push service error");
    if (this.made && String(this.made.key) !== String(key)) {
      throw new DOMException("A subscription with another key already exists", "InvalidStateError");
    }
    this.made ??= this.subscription(key);
    return this.made;
  }

  subscription(key) {
    this.number += 1;
    const endpoint = `https://push.example/${this.number}`;
    return {
      key,
      endpoint,
      options: { applicationServerKey: Uint8Array.from(key).buffer },
      toJSON: () => ({ endpoint }),
      unsubscribe: async () => {
        this.made = null;
      },
    };
  }
}

let manager;
let told;

beforeEach(() => {
  manager = new FakeManager();
  told = [];
  const serviceWorker = { ready: Promise.resolve({ pushManager: manager }) };
  Object.defineProperty(globalThis, "navigator", { value: { serviceWorker }, configurable: true });
  globalThis.Notification = { requestPermission: async () => "granted" };
  globalThis.fetch = async (_, { body }) => {
    told.push(JSON.parse(body).endpoint);
    return { ok: true, json: async () => ({ known: true }) };
  };
});

const turnOn = (key) => subscribe({ key, address: "/subscribe/", token: "t" });

test("subscribing again keeps the subscription", async () => {
  await turnOn(KEY);
  await turnOn(KEY);
  assert.deepEqual(told, ["https://push.example/1", "https://push.example/1"]);
});

test("a subscription made with another key of the site is replaced", async () => {
  await turnOn(OLD_KEY);
  assert.equal(isFor(manager.made, KEY), false);
  await turnOn(KEY);
  assert.deepEqual(told, ["https://push.example/1", "https://push.example/2"]);
  assert.deepEqual(manager.made.key, keyBytes(KEY));
  assert.equal(isFor(manager.made, KEY), true);
});

test("a browser that does not tell the key is believed", () => {
  assert.equal(isFor({ endpoint: "https://push.example/1" }, KEY), true);
});

test("a failure of the browser is told in a sentence of the site", async () => {
  manager.broken = true;
  await assert.rejects(turnOn(KEY), { message: "That didn't work. Please try again." });
  assert.deepEqual(told, []);
});

const FAILED = { message: "That didn't work. Please try again." };

test("no connection to the site is told in a sentence of the site", async () => {
  globalThis.fetch = async () => {
    throw new TypeError("Failed to fetch");
  };
  await assert.rejects(turnOn(KEY), FAILED);
});

test("a page instead of an answer is told in a sentence of the site", async () => {
  const page = new Response("<h1>Please log in</h1>", { status: 403 });
  globalThis.fetch = async () => page;
  await assert.rejects(turnOn(KEY), FAILED);
});

test("a reason that the site gives is told", async () => {
  globalThis.fetch = async () => Response.json({ message: "Log in first." }, { status: 403 });
  await assert.rejects(turnOn(KEY), { message: "Log in first." });
});

test("without a connection notifications stay on", async () => {
  await turnOn(KEY);
  globalThis.fetch = async () => {
    throw new TypeError("Failed to fetch");
  };
  await assert.rejects(unsubscribe({ address: "/unsubscribe/", token: "t" }), FAILED);
  assert.notEqual(manager.made, null);
});
