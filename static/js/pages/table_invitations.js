/* Invitations to friends' tables, shown live on every page of a player with an account. */

import { LobbySocket } from "../net/lobby_socket.js";
import { dataOf, one } from "../ui/dom.js";
import { keep, recall, storageOf } from "../ui/storage.js";

/** @import { Invitation } from "../net/messages.js" */

const RETRY_MS = [1000, 3000, 10000, 30000];
const DECLINED = "cribbage.asked.no"; // tables that the player has declined in this tab

const place = one(document, "[data-asked]", HTMLElement);
const storage = storageOf("sessionStorage");
/** @type {Map<string, ReturnType<typeof setTimeout>>} */
const timers = new Map(); // table -> timer that removes its invitation

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
    socket.send({ t: "turn_down", d: { match }, id: `no-${match}` });
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

const socket = new LobbySocket({
  path: dataOf(place, "socket"),
  waits: RETRY_MS,
  onMessage(message) {
    if (message.t === "asked") show(message.d.tables);
  },
});

/* Browsers do not cache pages with an open socket for the Back button. */
addEventListener("pagehide", () => socket.close());
addEventListener("pageshow", ({ persisted }) => persisted && socket.open());
socket.open();
