/* On every page of a player with an account: a friend asks him to a table, told at once. */

const RETRY_MS = [1000, 3000, 10000, 30000];
const PING_MS = 25000; // keeps proxies from closing a quiet socket
const PUT_AWAY = "cribbage.asked.no"; // tables that he has turned down in this tab

const place = document.querySelector("[data-asked]");
const timers = new Map(); // table -> when its invitation runs out
let socket = null;
let tries = 0;

function putAway() {
  try {
    return new Set(JSON.parse(sessionStorage.getItem(PUT_AWAY) ?? "[]"));
  } catch {
    return new Set();
  }
}

function remember(match) {
  try {
    sessionStorage.setItem(PUT_AWAY, JSON.stringify([...putAway(), match]));
  } catch {
    // Private windows may refuse: the server knows it all the same.
  }
}

function remove(match) {
  place.querySelector(`[data-match="${match}"]`)?.remove();
  clearTimeout(timers.get(match));
  timers.delete(match);
}

function row({ match, by, join }) {
  const made = place.querySelector("template").content.cloneNode(true).firstElementChild;
  made.dataset.match = match;
  for (const name of made.querySelectorAll("[data-by]")) name.textContent = by;
  made.querySelector("[data-join]").href = join;
  made.querySelector("button").addEventListener("click", () => {
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

function show(tables) {
  const gone = putAway();
  const wanted = new Map(
    tables.filter((table) => !gone.has(table.match)).map((table) => [table.match, table]),
  );
  for (const old of [...place.children]) {
    if (old.dataset.match && !wanted.has(old.dataset.match)) remove(old.dataset.match);
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
  const opened = new WebSocket(`${scheme}//${location.host}${place.dataset.socket}`);
  socket = opened;
  let ping = null;
  opened.addEventListener("open", () => {
    tries = 0;
    ping = setInterval(() => opened.send('{"t":"ping"}'), PING_MS);
  });
  opened.addEventListener("message", (event) => {
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

/* A page with an open socket cannot be kept for the way back. */
addEventListener("pagehide", () => {
  const last = socket;
  socket = null;
  last?.close();
});
addEventListener("pageshow", () => socket ?? connect());
connect();
