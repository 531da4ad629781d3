/* The page that led to a table, remembered while the tab is open. */

/** @param {string} table */
const key = (table) => `back:${table}`;

/**
 * Remember that `page` has led to the table at the address `table`.
 * @param {string} table
 * @param {string} page
 * @param {Storage} [kept]
 */
export function rememberReturnPage(table, page, kept = globalThis.sessionStorage) {
  try {
    kept.setItem(key(table), page);
  } catch {
    // Without storage: the match page also leads back.
  }
}

/**
 * Return the page that led to a table, if it is on this site; "" for none.
 * @param {string} table
 * @param {Storage} [kept]
 */
export function returnPage(table, kept = globalThis.sessionStorage) {
  try {
    const page = kept.getItem(key(table)) ?? "";
    return /^\/(?!\/)/.test(page) ? page : "";
  } catch {
    return "";
  }
}
