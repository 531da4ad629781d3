/* The service worker. It keeps files whose names change with their content, and one page that says
   that there is no network, and it shows the messages that a player asked for. Nothing else is kept:
   no page, no state of a game, no answer to a question. */

const STORE = "cribbage-1";
const MOST = 300; // files kept; what was kept first goes first
const HASHED = /^\/static\/.+\.[0-9a-f]{12}\.\w+$/;

/** What is done about a request: "file" is kept, "page" has a page for no network, "pass" is not ours. */
function kindOf({ method, mode, url }) {
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== self.location.origin) return "pass";
  if (mode === "navigate") return "page";
  return HASHED.test(pathname) ? "file" : "pass";
}

async function install() {
  const store = await caches.open(STORE);
  // Without cookies: the page that is kept knows nobody.
  const page = new Request(self.OFFLINE.page, { credentials: "omit", cache: "reload" });
  await store.addAll([page, ...self.OFFLINE.files]);
  await self.skipWaiting();
}

async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== STORE).map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function file(request) {
  const store = await caches.open(STORE);
  const kept = await store.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) {
    await store.put(request, answer.clone());
    await trim(store);
  }
  return answer;
}

async function trim(store) {
  const kept = await store.keys();
  const offline = new Set([self.OFFLINE.page, ...self.OFFLINE.files]);
  const others = kept.filter(({ url }) => !offline.has(new URL(url).pathname));
  await Promise.all(others.slice(0, -MOST).map((request) => store.delete(request)));
}

async function page(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(self.OFFLINE.page)) ?? Response.error();
  }
}

/** Without a network, the kept page still needs its files, whatever they are called. */
async function passed(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(request)) ?? Response.error();
  }
}

/** Show what the site sends: whose turn it is and where; it holds no card, and is kept nowhere. */
async function show(event) {
  let told = {};
  try {
    told = event.data?.json() ?? {};
  } catch {
    // Not this site's: browsers demand that something is shown all the same.
  }
  const { title = "Cribbage", body = "", url = "/", tag } = told;
  await self.registration.showNotification(title, {
    body,
    tag,
    data: { url },
    icon: self.OFFLINE.icon,
  });
}

/** Go where a message leads: to the page that shows it already, else to a new one. */
async function follow(notification) {
  notification.close();
  const wanted = new URL(notification.data?.url ?? "/", self.location.origin);
  if (wanted.origin !== self.location.origin) return;
  const pages = await self.clients.matchAll({ type: "window" });
  const there = pages.find(({ url }) => new URL(url).pathname === wanted.pathname);
  if (there) await there.focus();
  else await self.clients.openWindow(wanted.href);
}

self.addEventListener("push", (event) => event.waitUntil(show(event)));
self.addEventListener("notificationclick", (event) => event.waitUntil(follow(event.notification)));
self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => {
  const kind = kindOf(event.request);
  if (kind === "file") event.respondWith(file(event.request));
  else if (kind === "page") event.respondWith(page(event.request));
  else if (self.OFFLINE.files.includes(new URL(event.request.url).pathname)) {
    event.respondWith(passed(event.request));
  }
});
