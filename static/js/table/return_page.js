/* The page that led to a table, remembered while the tab is open. Without storage, the match page also
   leads back. */

import { keep, recall, storageOf } from "../ui/storage.js";

/** @param {string} table */
const key = (table) => `back:${table}`;

/**
 * Remember that `page` has led to the table at the address `table`.
 * @param {string} table
 * @param {string} page
 * @param {Storage | null} [kept]
 */
export function rememberReturnPage(table, page, kept = storageOf("sessionStorage")) {
  keep(kept, key(table), page);
}

/**
 * Return the page that led to a table, if it is on this site; "" for none.
 * @param {string} table
 * @param {Storage | null} [kept]
 */
export function returnPage(table, kept = storageOf("sessionStorage")) {
  const page = recall(kept, key(table)) ?? "";
  return /^\/(?!\/)/.test(page) ? page : "";
}
