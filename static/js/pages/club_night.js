/* A club night: polls every few seconds, shows changes, and takes players to their table when a game
   begins. The server answers 304 while nothing has changed. */

import { rememberReturnPage } from "../table/return_page.js";
import { dataOf, one } from "../ui/dom.js";
import { refresh } from "../ui/fresh_part.js";
import { keepAsking, pause } from "../ui/keep_asking.js";
import { keep, recall, storageOf } from "../ui/storage.js";
import { countDown } from "./countdown.js";

const FOLLOWS = "follows-night";

const part = one(document, "[data-live]", HTMLElement);
const trouble = one(document, "[data-trouble]", HTMLElement);
const storage = storageOf("sessionStorage");
const about = () => one(part, "[data-state]", HTMLElement).dataset;
let tag = "";
let leaving = false; // a form is being sent, whose answer is the next page

/** Returns the new part as text, "" if nothing has changed. */
async function ask() {
  const answer = await fetch(dataOf(part, "live"), {
    headers: tag ? { "If-None-Match": tag } : {},
    cache: "no-store",
  });
  if (answer.status === 304) return "";
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const text = await answer.text();
  tag = answer.headers.get("ETag") ?? ""; // not before: a text that breaks off is asked for again
  return text;
}

/**
 * Shows the new part; returns whether to keep polling.
 * @param {string} text
 */
function show(text) {
  const before = { ...about() };
  refresh(part, new DOMParser().parseFromString(text, "text/html").body);
  countDown(part);
  rememberTable();
  const { table } = about();
  if (table && table !== before.table) {
    location.assign(table);
    return false;
  }
  // The answer to a form offers them, too; a reload would interrupt it.
  if (about().state !== before.state && !leaving) {
    reload(); // other buttons are offered now
    return false;
  }
  return true;
}

/** Remember that the next page goes on to the table, if one begins meanwhile; otherwise it has a link. */
function follow() {
  keep(storage, FOLLOWS, location.pathname);
}

function reload() {
  follow();
  location.reload();
}

/** Returns whether this page came after `follow`. */
function wasReloaded() {
  const page = recall(storage, FOLLOWS);
  keep(storage, FOLLOWS, null);
  return page === location.pathname;
}

function rememberTable() {
  const { table } = about();
  if (table) rememberReturnPage(table, location.pathname);
}

async function look() {
  const text = await ask();
  return !text || show(text);
}

addEventListener("beforeprint", () => {
  for (const each of part.querySelectorAll("details")) each.open = true;
});
// The Back button may show the page as it was left, and it would ask no more.
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
/** @type {NodeListOf<HTMLElement>} */
const plain = document.querySelectorAll("[data-plain]");
for (const each of plain) each.hidden = true;
// Whoever starts a game is taken to their table like everybody else.
for (const form of document.querySelectorAll("form[data-starts]")) {
  form.addEventListener("submit", follow);
}
document.addEventListener("submit", () => {
  leaving = true;
});
rememberTable();
countDown(part);
const seated = wasReloaded() && about().table;
if (seated) location.assign(seated);
else {
  keepAsking({
    look,
    tell: (failing) => {
      trouble.hidden = !failing;
    },
    wait: pause,
  });
}
