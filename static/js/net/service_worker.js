/* The service worker. It caches files whose names change with their content, and one offline page, and
   it shows push messages. It caches no other page and no state of a game. */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const STORE = "cribbage-1";
const MAX_FILES = 300; // cached; the oldest are dropped first
const HASHED = /^\/static\/.+\.[0-9a-f]{12}\.\w+$/;

/**
 * The kind of a request: "file" is cached, "page" has the offline page as a fallback, "pass" is left
 * to the browser.
 * @param {Request} request
 * @returns {"file" | "page" | "pass"}
 */
function kindOf({ method, mode, url }) {
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== worker.location.origin) return "pass";
  if (mode === "navigate") return "page";
  return HASHED.test(pathname) ? "file" : "pass";
}

async function install() {
  const store = await caches.open(STORE);
  // Without cookies, so that the cached page shows no player.
  const page = new Request(worker.OFFLINE.page, { credentials: "omit", cache: "reload" });
  await store.addAll([page, ...worker.OFFLINE.files]);
  await worker.skipWaiting();
}

async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== STORE).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** @param {Request} request */
async function file(request) {
  const kept = await recall(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await keep(request, answer.clone());
  return answer;
}

/** @param {Request} request */
async function recall(request) {
  try {
    const store = await caches.open(STORE);
    return await store.match(request);
  } catch {
    return undefined;
  }
}

/**
 * Cache a file; on a full device the page gets it all the same.
 * @param {Request} request
 * @param {Response} answer
 */
async function keep(request, answer) {
  try {
    const store = await caches.open(STORE);
    await store.put(request, answer);
    await trim(store);
  } catch {
    // It is fetched again next time.
  }
}

/** @param {Cache} store */
async function trim(store) {
  const kept = await store.keys();
  const offline = new Set([worker.OFFLINE.page, ...worker.OFFLINE.files]);
  const others = kept.filter(({ url }) => !offline.has(new URL(url).pathname));
  await Promise.all(others.slice(0, -MAX_FILES).map((request) => store.delete(request)));
}

/** @param {Request} request */
async function page(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(worker.OFFLINE.page)) ?? Response.error();
  }
}

/**
 * A file of the offline page, from the cache without a network.
 * @param {Request} request
 */
async function passed(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(request)) ?? Response.error();
  }
}

/**
 * Show a push message: whose turn it is and where. It holds no card and is not stored.
 * @param {PushEvent} event
 */
async function show(event) {
  /** @type {{ title?: string, body?: string, url?: string, tag?: string }} */
  let told = {};
  try {
    told = event.data?.json() ?? {};
  } catch {
    // Not from this site, but browsers require a notification for every push.
  }
  const { title = "Cribbage", body = "", url = "/", tag } = told;
  await worker.registration.showNotification(title, {
    body,
    tag,
    data: { url },
    icon: worker.OFFLINE.icon,
  });
}

/**
 * Open the page of a message, in a tab that already shows it or in a new one.
 * @param {Notification} notification
 */
async function follow(notification) {
  notification.close();
  const wanted = new URL(notification.data?.url ?? "/", worker.location.origin);
  if (wanted.origin !== worker.location.origin) return;
  const pages = await worker.clients.matchAll({ type: "window" });
  const there = pages.find(({ url }) => new URL(url).pathname === wanted.pathname);
  if (there) await there.focus();
  else await worker.clients.openWindow(wanted.href);
}

worker.addEventListener("push", (event) => event.waitUntil(show(event)));
worker.addEventListener("notificationclick", (event) =>
  event.waitUntil(follow(event.notification)),
);
worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("fetch", (event) => {
  const kind = kindOf(event.request);
  if (kind === "file") event.respondWith(file(event.request));
  else if (kind === "page") event.respondWith(page(event.request));
  else if (worker.OFFLINE.files.includes(new URL(event.request.url).pathname)) {
    event.respondWith(passed(event.request));
  }
});
