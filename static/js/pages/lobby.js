/* The lobby's live list: the socket's messages replace what the server rendered first. */

import { LobbySocket } from "../net/lobby_socket.js";
import { dataOf, one } from "../ui/dom.js";
import { followPostedGames } from "./posted_games.js";

/** @import { Invitation, LobbyMessage, LobbyTable } from "../net/messages.js" */

const RETRY_MS = [500, 1000, 2000, 5000, 10000];

const section = one(document, "[data-lobby]", HTMLElement);
const list = one(section, "[data-lobby-tables]", HTMLElement);
const empty = one(section, "[data-lobby-empty]", HTMLElement);
const asked = one(section, "[data-lobby-asked]", HTMLElement);
const state = one(section, "[data-lobby-state]", HTMLElement);

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {string} className
 * @param {...(string | Node)} children
 */
function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/** @param {LobbyTable} table */
function countingText(table) {
  if (table.muggins) return gettext("you count, with muggins");
  return table.counting === "manual" ? gettext("you count") : gettext("the table counts");
}

/** @param {LobbyTable} table */
function facts(table) {
  const { players, target, games } = table;
  const texts = [
    interpolate(ngettext("%s player", "%s players", players), [players]),
    interpolate(gettext("to %s"), [target]),
    countingText(table),
    games === 1 ? gettext("one game") : interpolate(gettext("match of %s games"), [games]),
  ];
  return element("ul", "facts", ...texts.map((text) => element("li", "", text)));
}

/** @param {LobbyTable} table */
function row(table) {
  const who = element("strong", "table-row-who", table.creator);
  const free = interpolate(ngettext("%s seat free", "%s seats free", table.free), [table.free]);
  const whose = interpolate(gettext("%s's table"), [table.creator]);
  const join = element("a", "button button-small button-plain", gettext("Join"));
  join.append(element("span", "visually-hidden", ` ${whose}`));
  join.href = table.join;
  const item = element("li", "table-row", element("div", "", who, facts(table)));
  item.append(element("span", "table-row-free", free), join);
  item.dataset.match = table.match;
  return item;
}

/* Rows that stay are kept as they are, so that focus and screen readers are not disturbed. */
/** @param {LobbyTable[]} tables */
function show(tables) {
  const before = new Map([...list.children].map((item) => [item.getAttribute("data-match"), item]));
  const rows = tables.map((table) => {
    const known = before.get(table.match);
    const text = JSON.stringify(table);
    if (known?.getAttribute("data-text") === text) return known;
    const made = row(table);
    made.dataset.text = text;
    return made;
  });
  /** @type {Set<Element>} */
  const wanted = new Set(rows);
  for (const item of [...list.children]) if (!wanted.has(item)) item.remove();
  rows.forEach((item, at) => {
    if (list.children[at] !== item) list.insertBefore(item, list.children[at] ?? null);
  });
  empty.hidden = tables.length > 0;
}

/* The row of a friend's table, with a link to join; the server's page also has "Not now". */
/** @param {Invitation} table */
function askedRow(table) {
  const who = element("strong", "table-row-who", table.by);
  const join = element("a", "button button-small", gettext("Sit down"));
  const whose = interpolate(gettext("%s's table"), [table.by]);
  join.append(element("span", "visually-hidden", ` ${whose}`));
  join.href = table.join;
  const item = element(
    "li",
    "table-row",
    element("div", "", who, ` ${gettext("invites you to a table")}`),
    join,
  );
  item.dataset.match = table.match;
  return item;
}

/** @param {Invitation[]} tables */
function showAsked(tables) {
  const rows = one(asked, "ul", HTMLElement);
  const before = new Map([...rows.children].map((item) => [item.getAttribute("data-match"), item]));
  asked.hidden = tables.length === 0;
  rows.replaceChildren(...tables.map((table) => before.get(table.match) ?? askedRow(table)));
}

/** @param {LobbyMessage} message */
function received(message) {
  if (message.t === "asked") showAsked(message.d.tables);
  if (message.t !== "lobby") return;
  show(message.d.tables);
  const n = message.d.online;
  state.textContent =
    n === 0 ? "" : interpolate(ngettext("%s player online", "%s players online", n), [n]);
}

const socket = new LobbySocket({
  path: dataOf(section, "socket"),
  waits: RETRY_MS,
  onMessage: received,
  onLost() {
    state.textContent = gettext("Reconnecting… The list may be out of date.");
  },
});
socket.open();
followPostedGames();
