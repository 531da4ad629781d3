/* The lobby's live list: what the socket says replaces what the server drew first. */

const RETRY_MS = [500, 1000, 2000, 5000, 10000];
const PING_MS = 25000; // keeps proxies from closing a quiet socket

const section = document.querySelector("[data-lobby]");
const list = section.querySelector("[data-lobby-tables]");
const empty = section.querySelector("[data-lobby-empty]");
const asked = section.querySelector("[data-lobby-asked]");
const state = section.querySelector("[data-lobby-state]");

function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

function countingText(table) {
  if (table.muggins) return gettext("own counting, with muggins");
  return table.counting === "manual" ? gettext("own counting") : gettext("the table counts");
}

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
function show(tables) {
  const before = new Map([...list.children].map((item) => [item.dataset.match, item]));
  const rows = tables.map((table) => {
    const known = before.get(table.match);
    const text = JSON.stringify(table);
    if (known?.dataset.text === text) return known;
    const made = row(table);
    made.dataset.text = text;
    return made;
  });
  const wanted = new Set(rows);
  for (const item of [...list.children]) if (!wanted.has(item)) item.remove();
  rows.forEach((item, at) => {
    if (list.children[at] !== item) list.insertBefore(item, list.children[at] ?? null);
  });
  empty.hidden = tables.length > 0;
}

/* A friend's table: to sit down there; the page that the server makes has "Not now" besides. */
function askedRow(table) {
  const who = element("strong", "table-row-who", table.by);
  const join = element("a", "button button-small", gettext("Sit down"));
  const whose = interpolate(gettext("%s's table"), [table.by]);
  join.append(element("span", "visually-hidden", ` ${whose}`));
  join.href = table.join;
  const item = element(
    "li",
    "table-row",
    element("div", "", who, ` ${gettext("asks you to a table")}`),
    join,
  );
  item.dataset.match = table.match;
  return item;
}

function showAsked(tables) {
  const rows = asked.querySelector("ul");
  const before = new Map([...rows.children].map((item) => [item.dataset.match, item]));
  asked.hidden = tables.length === 0;
  rows.replaceChildren(...tables.map((table) => before.get(table.match) ?? askedRow(table)));
}

function connect(attempt = 0) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(`${scheme}//${location.host}${section.dataset.socket}`);
  let tries = attempt;
  let ping;
  socket.addEventListener("open", () => {
    tries = 0;
    ping = setInterval(() => socket.send('{"t":"ping"}'), PING_MS);
  });
  socket.addEventListener("message", (event) => {
    const message = JSON.parse(event.data);
    if (message.t === "asked") showAsked(message.d.tables);
    if (message.t !== "lobby") return;
    show(message.d.tables);
    const n = message.d.online;
    state.textContent =
      n === 0 ? "" : interpolate(ngettext("%s player online", "%s players online", n), [n]);
  });
  socket.addEventListener("close", () => {
    clearInterval(ping);
    state.textContent = gettext("The list is not live just now; connecting again…");
    const wait = RETRY_MS[Math.min(tries, RETRY_MS.length - 1)];
    setTimeout(connect, wait * (0.75 + Math.random() / 2), tries + 1);
  });
}

connect();
