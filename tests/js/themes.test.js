/* The table tops are readable: WCAG 2.2 contrast, computed from the CSS tokens. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const CSS = readFileSync(new URL("../../static/css/base/tokens.css", import.meta.url), "utf8");

/** Returns the tokens of each rule, in order: [[selector, {name: value}]]. */
function rules() {
  return [...CSS.matchAll(/(:root[^{]*)\{([^}]*)\}/g)].map(([, selector, body]) => {
    const pairs = [...body.matchAll(/--([\w-]+):\s*([^;]+);/g)];
    return [selector.trim(), Object.fromEntries(pairs.map(([, name, value]) => [name, value]))];
  });
}

/** Returns the tokens in effect for a table top and a colour scheme. */
function tokensOf(table, scheme) {
  const wanted = [":root", `:root[data-theme="${scheme}"]`, `:root[data-table="${table}"]`];
  const found = rules().filter(([selector]) => wanted.includes(selector));
  return Object.assign({}, ...found.map(([, tokens]) => tokens));
}

function colourOf(tokens, name, scheme) {
  const both = tokens[name].match(/^light-dark\((.+), (#[0-9a-f]{6})\)$/);
  if (!both) return tokens[name];
  return scheme === "light" ? both[1] : both[2];
}

function luminance(colour) {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  const [r, g, b] = parts.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((one, other) => one - other);
  return (high + 0.05) / (low + 0.05);
}

const PAIRS = [
  ["felt-ink", "felt", 4.5],
  ["felt-ink", "felt-deep", 4.5],
  ["felt-ink", "felt-edge", 4.5],
  ["felt-ink-soft", "felt", 4.5],
  ["felt-ink-soft", "felt-deep", 4.5],
  ["felt-ink-soft", "felt-edge", 4.5],
  ["felt-bright", "felt", 4.5],
  ["felt-bright", "felt-deep", 4.5],
  ["felt-bright", "felt-edge", 4.5],
  ["felt-focus", "felt", 3],
  ["felt-focus", "felt-deep", 3],
];

test("text on every table top has enough contrast in light and dark", () => {
  for (const table of ["felt", "wood", "paper"]) {
    for (const scheme of ["light", "dark"]) {
      const tokens = tokensOf(table, scheme);
      for (const [ink, ground, least] of PAIRS) {
        const found = contrast(colourOf(tokens, ink, scheme), colourOf(tokens, ground, scheme));
        assert.ok(
          found >= least,
          `${table}, ${scheme}: ${ink} on ${ground} is ${found.toFixed(2)}, not ${least}`,
        );
      }
    }
  }
});
