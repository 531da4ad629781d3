/* The way back from a table to the page that led there, as long as the tab is open. */

const key = (table) => `back:${table}`;

/** Remembers that `page` has led to the table at the address `table`. */
export function keepWay(table, page, kept = globalThis.sessionStorage) {
  try {
    kept.setItem(key(table), page);
  } catch {
    // A browser that keeps nothing: the match's own page leads back as well.
  }
}

/** Returns the page that has led to a table, "" for none; pages of this site alone. */
export function wayBack(table, kept = globalThis.sessionStorage) {
  try {
    const page = kept.getItem(key(table)) ?? "";
    return /^\/(?!\/)/.test(page) ? page : "";
  } catch {
    return "";
  }
}
