/* The real service worker script, with a fake network and a fake cache. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createContext, runInContext } from "node:vm";

const SCRIPT = readFileSync(
  new URL("../../../static/js/net/service_worker.js", import.meta.url),
  "utf8",
);
const SITE = "https://cribbage.example";
const FILE = `${SITE}/static/css/site.0123456789ab.css`;

function working() {
  const listeners = {};
  const kept = new Map();
  const network = { up: true, asked: [] };
  const device = { full: false, blocked: false };
  const [shown, opened, pages] = [[], [], []];
  const key = (request) => (request.url ?? new URL(request, SITE).href).toString();
  const store = {
    addAll: async (requests) => {
      for (const request of requests) kept.set(key(request), { kept: key(request), request });
    },
    match: async (request) => kept.get(key(request)),
    put: async (request, answer) => {
      if (device.full) throw new DOMException("full", "QuotaExceededError");
      kept.set(key(request), answer);
    },
    keys: async () => [...kept.keys()].map((url) => ({ url })),
    delete: async (request) => kept.delete(key(request)),
  };
  const self = {
    OFFLINE: { page: "/offline/", files: ["/static/css/site.css"] },
    location: { origin: SITE },
    addEventListener: (name, work) => {
      listeners[name] = work;
    },
    skipWaiting: async () => {},
    registration: { showNotification: async (title, options) => shown.push({ title, ...options }) },
    clients: {
      claim: async () => {},
      matchAll: async () => pages,
      openWindow: async (url) => opened.push(url),
    },
  };
  runInContext(
    SCRIPT,
    createContext({
      self,
      URL,
      caches: {
        open: async () => {
          if (device.blocked) throw new DOMException("blocked", "SecurityError");
          return store;
        },
        keys: async () => [],
        match: async (request) => kept.get(key(request)),
      },
      Request: class {
        constructor(path, options) {
          Object.assign(this, options, { url: new URL(path, SITE).href });
        }
      },
      Response: { error: () => "no network" },
      fetch: async (request) => {
        network.asked.push(request.url);
        if (!network.up) throw new TypeError("no network");
        const answer = { ok: true, fetched: request.url };
        return { ...answer, clone: () => answer };
      },
    }),
  );
  const ask = async (url, { mode = "cors", method = "GET" } = {}) => {
    let answer = null;
    const respondWith = (promise) => {
      answer = promise;
    };
    listeners.fetch({ request: { url, mode, method }, respondWith });
    return answer === null ? "not ours" : await answer;
  };
  const install = () => {
    let done = null;
    const waitUntil = (promise) => {
      done = promise;
    };
    listeners.install({ waitUntil });
    return done;
  };
  const happens = async (name, event) => {
    let done = null;
    listeners[name]({
      ...event,
      waitUntil: (promise) => {
        done = promise;
      },
    });
    await done;
  };
  return { ask, install, kept, network, device, happens, shown, opened, pages };
}

test("a file with a hash in its name is fetched once and cached", async () => {
  const { ask, network } = working();
  assert.equal((await ask(FILE)).fetched, FILE);
  assert.equal((await ask(FILE)).fetched, FILE);
  assert.deepEqual(network.asked, [FILE]);
});

test("a full device and a blocked cache get each file from the network", async () => {
  for (const state of ["full", "blocked"]) {
    const { ask, network, device, kept } = working();
    device[state] = true;
    assert.equal((await ask(FILE)).fetched, FILE, state);
    assert.equal((await ask(FILE)).fetched, FILE, state);
    assert.deepEqual(network.asked, [FILE, FILE], state);
    assert.deepEqual([...kept.keys()], [], state);
  }
});

test("pages, game state and API answers are never cached", async () => {
  const { ask, kept } = working();
  await ask(`${SITE}/t/abc/`, { mode: "navigate" });
  for (const path of [
    "/api/v1/matches/abc/",
    "/matches/abc/replay.json",
    "/join/abc/qr.svg",
    "/static/js/app.js",
    "/jsi18n/",
  ]) {
    assert.equal(await ask(SITE + path), "not ours", path);
  }
  assert.equal(await ask(FILE, { method: "POST" }), "not ours");
  assert.equal(await ask("https://other.example/static/a.0123456789ab.js"), "not ours");
  assert.deepEqual([...kept.keys()], []);
});

test("without a network the offline page is shown, from a copy fetched without cookies", async () => {
  const { ask, install, kept, network } = working();
  await install();
  assert.equal(kept.get(`${SITE}/offline/`).request.credentials, "omit");
  network.up = false;
  const shown = await ask(`${SITE}/t/abc/`, { mode: "navigate" });
  assert.equal(shown.kept, `${SITE}/offline/`);
  assert.equal((await ask(`${SITE}/static/css/site.css`)).kept, `${SITE}/static/css/site.css`);
});

test("the cache does not grow without bound", async () => {
  const { ask, install, kept } = working();
  await install();
  for (let at = 0; at < 320; at += 1) {
    await ask(`${SITE}/static/a.${at.toString(16).padStart(12, "0")}.js`);
  }
  assert.equal(kept.size, 302);
  assert.ok(kept.has(`${SITE}/offline/`));
});

test("a push message is shown as received and not stored", async () => {
  const { happens, kept, shown } = working();
  const told = {
    title: "Your turn against Ann",
    body: "Cribbage",
    url: "/t/abc/",
    tag: "turn-abc",
  };
  await happens("push", { data: { json: () => told } });
  const [{ title, body, tag, data }] = shown;
  assert.deepEqual({ title, body, tag, url: data.url }, told);
  assert.equal(kept.size, 0);
});

test("an unreadable push message shows a plain notification", async () => {
  const { happens, shown } = working();
  const json = () => {
    throw new SyntaxError("no JSON");
  };
  await happens("push", { data: { json } });
  await happens("push", { data: null });
  assert.deepEqual(
    shown.map(({ title }) => title),
    ["Cribbage", "Cribbage"],
  );
});

test("clicking a notification focuses the table's page or opens a new one", async () => {
  const { happens, opened, pages } = working();
  const notification = { close: () => {}, data: { url: "/t/abc/" } };
  await happens("notificationclick", { notification });
  assert.deepEqual(opened, [`${SITE}/t/abc/`]);
  let focused = 0;
  pages.push({ url: `${SITE}/t/abc/?pace=tap`, focus: async () => (focused += 1) });
  await happens("notificationclick", { notification });
  assert.deepEqual([focused, opened.length], [1, 1]);
});

test("clicking a notification never leads to another site", async () => {
  const { happens, opened } = working();
  const notification = { close: () => {}, data: { url: "https://other.example/t/abc/" } };
  await happens("notificationclick", { notification });
  assert.deepEqual(opened, []);
});
