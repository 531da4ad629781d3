/* The service worker. It keeps files whose names change with their content, and one page that says
   that there is no network. Nothing else: no page, no state of a game, no answer to a question. */

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
