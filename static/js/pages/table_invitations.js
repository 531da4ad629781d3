/* Invitations to friends' tables, shown live on every page of a player with an account. */

import { dataOf, one } from "../ui/dom.js";
import { keep, recall, storageOf } from "../ui/storage.js";

/** @import { Invitation, LobbyMessage } from "../net/messages.js" */

const RETRY_MS = [1000, 3000, 10000, 30000];
const PING_MS = 25000; // keeps proxies from closing a quiet socket
const DECLINED = "cribbage.asked.no"; // tables that the player has declined in this tab

const place = one(document, "[data-asked]", HTMLElement);
const storage = storageOf("sessionStorage");
/** @type {Map<string, ReturnType<typeof setTimeout>>} */
const timers = new Map(); // table -> timer that removes its invitation
/** @type {WebSocket | null} */
let socket = null;
let tries = 0;

/** @returns {Set<string>} */
function declined() {
  try {
    return new Set(JSON.parse(recall(storage, DECLINED) ?? "[]"));
  } catch {
    return new Set();
  }
}

/** @param {string} match */
function remember(match) {
  keep(storage, DECLINED, JSON.stringify([...declined(), match]));
}

/** @param {string} match */
function remove(match) {
  place.querySelector(`[data-match="${match}"]`)?.remove();
  clearTimeout(timers.get(match));
  timers.delete(match);
}

/** @param {Invitation} props */
function row({ match, by, join }) {
  const template = one(place, "template", HTMLTemplateElement);
  const copy = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
  const made = one(copy, "*", HTMLElement);
  made.dataset.match = match;
  for (const name of made.querySelectorAll("[data-by]")) name.textContent = by;
  one(made, "[data-join]", HTMLAnchorElement).href = join;
  one(made, "button", HTMLButtonElement).addEventListener("click", () => {
    if (socket?.readyState === WebSocket.OPEN) {
      socket.send(JSON.stringify({ t: "turn_down", d: { match }, id: `no-${match}` }));
    }
    remember(match);
    remove(match);
  });
  return made;
}

function styled() {
  if (document.querySelector("link[data-asked-style]")) return;
  const link = Object.assign(document.createElement("link"), {
    rel: "stylesheet",
    href: place.dataset.style,
  });
  link.dataset.askedStyle = "";
  document.head.append(link);
}

/** @param {Invitation[]} tables */
function show(tables) {
  const refused = declined();
  const wanted = new Map(
    tables.filter((table) => !refused.has(table.match)).map((table) => [table.match, table]),
  );
  for (const old of [...place.children]) {
    const match = old.getAttribute("data-match");
    if (match && !wanted.has(match)) remove(match);
  }
  for (const [match, table] of wanted) {
    if (place.querySelector(`[data-match="${match}"]`)) continue;
    styled();
    place.append(row(table));
    timers.set(
      match,
      setTimeout(() => remove(match), table.left * 1000),
    );
  }
}

function connect() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const opened = new WebSocket(`${scheme}//${location.host}${dataOf(place, "socket")}`);
  socket = opened;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let ping;
  opened.addEventListener("open", () => {
    tries = 0;
    ping = setInterval(() => opened.send('{"t":"ping"}'), PING_MS);
  });
  opened.addEventListener("message", (event) => {
    /** @type {LobbyMessage} */
    const message = JSON.parse(event.data);
    if (message.t === "asked") show(message.d.tables);
  });
  opened.addEventListener("close", () => {
    clearInterval(ping);
    if (socket !== opened) return;
    const wait = RETRY_MS[Math.min(tries, RETRY_MS.length - 1)];
    tries += 1;
    setTimeout(() => socket === opened && connect(), wait * (0.75 + Math.random() / 2));
  });
}

/* Browsers do not cache pages with an open socket for the Back button. */
addEventListener("pagehide", () => {
  const last = socket;
  socket = null;
  last?.close();
});
addEventListener("pageshow", () => socket ?? connect());
connect();
