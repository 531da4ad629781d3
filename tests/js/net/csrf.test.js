/* The CSRF token of a script's request: the browser's own now, or that of the page. */

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { csrfToken } from "../../../static/js/net/csrf.js";

class Field {
  value = "of the page";
}
const page = { querySelector: () => new Field() };

function withCookies(cookie) {
  globalThis.document = { cookie };
  globalThis.HTMLInputElement = Field;
  return csrfToken(page);
}

afterEach(() => {
  delete globalThis.document;
  delete globalThis.HTMLInputElement;
});

test("the browser's token is sent, under both names of its cookie", () => {
  assert.equal(withCookies("csrftoken=fresh"), "fresh");
  assert.equal(withCookies("theme=dark; __Host-csrf=fresh; last=1"), "fresh");
});

test("a page whose cookie cannot be read sends its own token", () => {
  assert.equal(withCookies(""), "of the page");
  assert.equal(withCookies("other_csrftoken=wrong"), "of the page");
});
