/* What a browser keeps for this site. It may be blocked, missing or full: then nothing is found or kept,
   but no page may fail because of it. */

/**
 * Return the browser's storage; null where it is blocked, when even asking for it throws.
 * @param {"localStorage" | "sessionStorage"} name
 * @returns {Storage | null}
 */
export function storageOf(name) {
  try {
    return globalThis[name] ?? null;
  } catch {
    return null;
  }
}

/**
 * Return the text kept under a key; null for none.
 * @param {Storage | null} storage
 * @param {string} key
 */
export function recall(storage, key) {
  try {
    return storage?.getItem(key) ?? null;
  } catch {
    return null;
  }
}

/**
 * Keep a text under a key, or forget it for null.
 * @param {Storage | null} storage
 * @param {string} key
 * @param {string | null} text
 */
export function keep(storage, key, text) {
  try {
    if (text === null) storage?.removeItem(key);
    else storage?.setItem(key, text);
  } catch {
    // Full, or blocked since.
  }
}
