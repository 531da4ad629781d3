import assert from "node:assert/strict";
import { test } from "node:test";
import { timeLeft } from "../../../static/js/pages/countdown.js";

const HOUR = 3600;

test("days are counted as days, hours within two days, and minutes only within a day", () => {
  assert.equal(timeLeft(179 * HOUR + 16 * 60 + 3, "en"), "7 days");
  assert.equal(timeLeft(48 * HOUR, "en"), "2 days");
  assert.equal(timeLeft(37 * HOUR + 40 * 60, "en"), "37 hours");
  assert.equal(timeLeft(24 * HOUR, "en"), "24 hours");
  assert.equal(timeLeft(24 * HOUR - 1, "en"), "23:59:59");
  assert.equal(timeLeft(123, "en"), "2:03");
});

test("days and hours have the case that follows the page's “in”", () => {
  assert.equal(timeLeft(30 * HOUR, "de"), "30 Stunden");
  assert.equal(timeLeft(30 * HOUR, "fr"), "30 heures");
  assert.equal(timeLeft(72 * HOUR, "de"), "3 Tagen");
  assert.equal(timeLeft(72 * HOUR, "fr"), "3 jours");
  assert.equal(timeLeft(72 * HOUR, "es"), "3 días");
});
