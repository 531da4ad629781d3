/* Verifies in the reader's own browser what the server committed to. */

import { one } from "../ui/dom.js";

/**
 * The text behind the commitment: the salt, then each pack, one per line.
 * @param {string} salt
 * @param {string[]} packs
 */
export function canonical(salt, packs) {
  return `${[salt, ...packs].join("\n")}\n`;
}

/**
 * SHA-256 of a text, in hexadecimal.
 * @param {string} text
 */
export async function digest(text) {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {Document} page */
async function verify(page) {
  /** @param {string} selector */
  const part = (selector) => one(page, selector, HTMLElement);
  /** @param {string} selector */
  const text = (selector) => (part(selector).textContent ?? "").trim();
  const packs = [...page.querySelectorAll("[data-packs] li")].map((pack) =>
    (pack.textContent ?? "").trim(),
  );
  if (!globalThis.crypto?.subtle) {
    part("[data-unable]").hidden = false;
    return;
  }
  const found = await digest(canonical(text("[data-salt]"), packs));
  part("[data-found]").textContent = found;
  const same = found === text("[data-commitment]");
  part(same ? "[data-good]" : "[data-bad]").hidden = false;
}

if (globalThis.document?.querySelector("[data-proof]")) verify(document);
