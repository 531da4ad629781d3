import assert from "node:assert/strict";
import { test } from "node:test";
import { keepWay, wayBack } from "../../static/js/back.js";

function drawer() {
  const kept = new Map();
  return { setItem: (key, value) => kept.set(key, value), getItem: (key) => kept.get(key) ?? null };
}

test("a table knows the page that led to it, and no other table does", () => {
  const kept = drawer();
  keepWay("/t/abc/", "/clubs/night/xyz/", kept);
  assert.equal(wayBack("/t/abc/", kept), "/clubs/night/xyz/");
  assert.equal(wayBack("/t/abd/", kept), "");
});

test("it leads to pages of this site alone", () => {
  const kept = drawer();
  for (const page of [
    "//elsewhere.example/",
    "https://elsewhere.example/",
    "javascript:alert(1)",
  ]) {
    keepWay("/t/abc/", page, kept);
    assert.equal(wayBack("/t/abc/", kept), "", page);
  }
});

test("a browser that keeps nothing gives no way back", () => {
  const closed = {
    setItem() {
      throw new Error("denied");
    },
    getItem() {
      throw new Error("denied");
    },
  };
  keepWay("/t/abc/", "/clubs/", closed);
  assert.equal(wayBack("/t/abc/", closed), "");
});
