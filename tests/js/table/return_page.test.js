import assert from "node:assert/strict";
import { test } from "node:test";
import { rememberReturnPage, returnPage } from "../../../static/js/table/return_page.js";

function drawer() {
  const kept = new Map();
  return { setItem: (key, value) => kept.set(key, value), getItem: (key) => kept.get(key) ?? null };
}

test("a table remembers the page that led to it, separately for each table", () => {
  const kept = drawer();
  rememberReturnPage("/t/abc/", "/clubs/night/xyz/", kept);
  assert.equal(returnPage("/t/abc/", kept), "/clubs/night/xyz/");
  assert.equal(returnPage("/t/abd/", kept), "");
});

test("the return page is always on this site", () => {
  const kept = drawer();
  for (const page of [
    "//elsewhere.example/",
    "https://elsewhere.example/",
    "javascript:alert(1)",
  ]) {
    rememberReturnPage("/t/abc/", page, kept);
    assert.equal(returnPage("/t/abc/", kept), "", page);
  }
});

test("without browser storage there is no return page", () => {
  const closed = {
    setItem() {
      throw new Error("denied");
    },
    getItem() {
      throw new Error("denied");
    },
  };
  rememberReturnPage("/t/abc/", "/clubs/", closed);
  assert.equal(returnPage("/t/abc/", closed), "");
});
