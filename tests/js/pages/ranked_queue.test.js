/* The page of the ranked queue, while another tab logs in: a page of stubs, a fetch that the test
   answers, and fake timers. */

import assert from "node:assert/strict";
import { mock, test } from "node:test";

const POLL_MS = 2000;

class Part {
  constructor(dataset = {}) {
    this.dataset = dataset;
    this.hidden = false;
    this.value = "a token";
    this.parts = new Map();
  }

  /** Returns the same part for the same selector. */
  querySelector(selector) {
    if (!this.parts.has(selector)) this.parts.set(selector, new Part());
    return this.parts.get(selector);
  }
}

/** Lets what awaits an answer go on; no timer fires. */
async function settle() {
  for (let turn = 0; turn < 10; turn += 1) await null;
}

let pages = 0;

/**
 * Opens the page; each status in turn is the answer to one poll, and later ones get none, so that the
 * page ends with its test. Returns where it went, as a list that grows.
 */
async function openPage(...statuses) {
  const page = new Part();
  const addresses = { state: "/state/", here: "/ranked/", gone: "/ranked/?gone" };
  page.parts.set("[data-queue]", new Part({ waited: "0", ...addresses }));
  const loaded = [];
  const answer = async () => {
    if (!statuses.length) return new Promise(() => {});
    const status = statuses.shift();
    return {
      status,
      ok: status === 200,
      json: async () => ({ waiting: true, offer: false, others: 0 }),
    };
  };
  Object.assign(globalThis, {
    HTMLElement: Part,
    HTMLInputElement: Part,
    document: page,
    location: { replace: (path) => loaded.push(path) },
    addEventListener: () => {},
    fetch: answer,
  });
  pages += 1;
  await import(`../../../static/js/pages/ranked_queue.js?page=${pages}`);
  await settle();
  return loaded;
}

function withTimers(name, work) {
  test(name, async () => {
    mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
    try {
      await work();
    } finally {
      mock.timers.reset();
    }
  });
}

withTimers(
  "a page whose token is refused is loaded again once the login can be answered",
  async () => {
    const loaded = await openPage(200, 403);
    mock.timers.tick(POLL_MS);
    await settle();
    assert.deepEqual(loaded, [], "the login in the other tab may not have been answered yet");
    mock.timers.tick(POLL_MS - 1);
    await settle();
    assert.deepEqual(loaded, []);
    mock.timers.tick(1);
    assert.deepEqual(loaded, ["/ranked/?gone"]);
  },
);

withTimers("a page whose first request is refused is not loaded again", async () => {
  const loaded = await openPage(403, 403, 403);
  for (let poll = 0; poll < 2; poll += 1) {
    mock.timers.tick(POLL_MS);
    await settle();
  }
  assert.deepEqual(loaded, []);
});

withTimers(
  "a page asks on while its session is unknown, and is loaded again after a while",
  async () => {
    const loaded = await openPage(200, 401, 401, 401, 401, 200, 401, 401, 401, 401, 401);
    for (let poll = 0; poll < 9; poll += 1) {
      mock.timers.tick(POLL_MS);
      await settle();
    }
    assert.deepEqual(loaded, []);
    for (let poll = 0; poll < 2; poll += 1) {
      mock.timers.tick(POLL_MS);
      await settle();
    }
    assert.deepEqual(loaded, ["/ranked/?gone"]);
  },
);
