import assert from "node:assert/strict";
import { test } from "node:test";
import {
  axisText,
  localDateText,
  localise,
  localSpanText,
  localTimeText,
} from "../../../static/js/text/local_time.js";

const LATE = Date.UTC(2026, 10, 24, 2, 30); // still the 23rd in New York

test("a player in New York sees their own day and hour", () => {
  const form = { language: "en-GB", timeZone: "America/New_York" };
  assert.equal(localDateText(LATE, { ...form, clock: true }), "Nov 23, 2026, 21:30");
  assert.equal(localDateText(LATE, { ...form, clock: false }), "Nov 23, 2026");
});

// As in tests/site/test_language.py: a page also has days that no script writes.
const DAYS = {
  en: "Nov 3, 2026",
  "en-GB": "Nov 3, 2026",
  "en-US": "Nov 3, 2026",
  de: "3. November 2026",
  "de-AT": "3. November 2026",
  fr: "3 novembre 2026",
  "fr-CA": "3 novembre 2026",
  es: "3 de noviembre de 2026",
  "es-MX": "3 de noviembre de 2026",
};

for (const [language, day] of Object.entries(DAYS)) {
  test(`a date has the form of the page's language wherever its reader is: ${language}`, () => {
    const moment = Date.UTC(2026, 10, 3, 18, 30);
    const form = { language, timeZone: "UTC" };
    assert.equal(localDateText(moment, { ...form, clock: false }), day);
    assert.equal(axisText(moment, { ...form, clock: false }), day);
    assert.ok(localDateText(moment, { ...form, clock: true }).startsWith(`${day}, `));
    const begun = localSpanText(moment, moment + 3600 * 1000, form);
    assert.ok(begun.includes(day), begun);
    const far = localTimeText(moment, { ...form, now: 0 });
    assert.ok(far.startsWith(day.replace(/(, | de | )2026/, ", ")), far);
  });
}

test("the first day of a month has an ordinal in French only", () => {
  const first = Date.UTC(2026, 11, 1, 18, 30);
  const french = { language: "fr", timeZone: "UTC" };
  assert.equal(localDateText(first, { ...french, clock: false }), "1er décembre 2026");
  assert.match(localTimeText(first, { ...french, now: 0 }), /^1er décembre, /);
  assert.match(localSpanText(first, first + 3600 * 1000, french), / 1er décembre 2026/);
  const german = { clock: false, language: "de", timeZone: "UTC" };
  assert.equal(localDateText(first, german), "1. Dezember 2026");
  const eleventh = Date.UTC(2026, 11, 11);
  assert.equal(localDateText(eleventh, { ...french, clock: false }), "11 décembre 2026");
});

for (const language of ["en", "de", "fr", "es"]) {
  test(`a zone is its distance from UTC, as in tests/text/test_dates.py: ${language}`, () => {
    const evening = Date.UTC(2026, 11, 3, 19);
    for (const [timeZone, zone] of [
      ["UTC", "UTC"],
      ["Europe/Berlin", "UTC+1"],
      ["Asia/Kolkata", "UTC+5:30"],
      ["America/St_Johns", "UTC−3:30"],
    ]) {
      const text = localSpanText(evening, evening + 3600 * 1000, { language, timeZone });
      assert.ok(text.endsWith(` ${zone}`), text);
    }
  });
}

test("a time of day is in the reader's own form", () => {
  const form = { clock: true, timeZone: "UTC" };
  assert.match(localDateText(LATE, { ...form, language: "en-US" }), /^Nov 24, 2026, 2:30\sAM$/);
  assert.equal(localDateText(LATE, { ...form, language: "en-GB" }), "Nov 24, 2026, 02:30");
  assert.equal(axisText(LATE, { ...form, language: "en-GB" }), "02:30");
});

test("a span has its date once, its weekday and its zone", () => {
  const evening = Date.UTC(2026, 11, 3, 19);
  const to = evening + 3 * 3600 * 1000;
  const text = localSpanText(evening, to, { language: "en-US", timeZone: "UTC" });
  assert.match(text, /^Thu, Dec 3, 2026, 7:00\s*–\s*10:00\sPM UTC$/);
  const german = localSpanText(evening, to, { language: "de", timeZone: "Europe/Berlin" });
  assert.match(german, /^Do\., 3\. Dezember 2026, 20:00\s*–\s*23:00 Uhr UTC\+1$/);
});

for (const language of ["en-GB", "de", "fr", "es"]) {
  test(`an hour before ten has two digits in a span, too, where days have 24: ${language}`, () => {
    const night = Date.UTC(2026, 11, 3, 0, 5);
    for (const hours of [3, 33]) {
      const to = night + hours * 3600 * 1000;
      const text = localSpanText(night, to, { language, timeZone: "UTC" });
      const times = hours === 3 ? ["00:05", "03:05"] : ["00:05", "09:05"];
      assert.deepEqual(text.match(/\d+:\d\d/g), times);
    }
  });
}

/** @param {string} text @param {Record<string, string>} [dataset] */
function time(text, dataset = {}) {
  return { dateTime: "2026-11-24T02:30:00+00:00", textContent: text, title: "", dataset };
}

test("a time keeps its form, names the server's in its title, and is localised once", () => {
  const [full, day] = [time("24 November 2026, 02:30 UTC"), time("Nov. 24, 2026")];
  const root = /** @type {any} */ ({
    querySelectorAll: (/** @type {string} */ which) =>
      which.startsWith("time") ? [full, day] : [],
  });
  localise(root);
  assert.equal(full.title, "24 November 2026, 02:30 UTC");
  assert.match(full.textContent, /\d\d?:\d\d/);
  assert.doesNotMatch(day.textContent, /\d:\d\d/);
  assert.ok("local" in full.dataset && "local" in day.dataset);
});

test("the axis of a chart has the reader's day, or hour within a day", () => {
  const form = { language: "en-GB", timeZone: "America/New_York" };
  assert.equal(axisText(LATE, { ...form, clock: false }), "Nov 23, 2026");
  assert.equal(axisText(LATE, { ...form, clock: true }), "21:30");
  const label = { textContent: "24 Nov 2026", dataset: { at: "2026-11-24T02:30:00+00:00" } };
  const root = /** @type {any} */ ({
    querySelectorAll: (/** @type {string} */ which) => (which.startsWith("text") ? [label] : []),
  });
  localise(root);
  assert.match(label.textContent, /2026/);
  assert.doesNotMatch(label.textContent, /:/);
  assert.ok("local" in label.dataset);
});
