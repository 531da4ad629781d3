/* Works out, in the reader's own browser, what the server committed to. */

/** The text that is committed to: the salt, then each deck, a line each. */
export function canonical(salt, packs) {
  return `${[salt, ...packs].join("\n")}\n`;
}

/** SHA-256 of a text, in hexadecimal. */
export async function digest(text) {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function verify(page) {
  const text = (selector) => page.querySelector(selector).textContent.trim();
  const packs = [...page.querySelectorAll("[data-packs] li")].map((one) => one.textContent.trim());
  if (!globalThis.crypto?.subtle) {
    page.querySelector("[data-unable]").hidden = false;
    return;
  }
  const found = await digest(canonical(text("[data-salt]"), packs));
  page.querySelector("[data-found]").textContent = found;
  const same = found === text("[data-commitment]");
  page.querySelector(same ? "[data-good]" : "[data-bad]").hidden = false;
}

if (globalThis.document?.querySelector("[data-proof]")) verify(document);
