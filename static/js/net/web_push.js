/* Web push on this device: requested by a button, never by the page itself. */

import { gettext } from "../text/translations.js";

/**
 * Whether this browser supports web push.
 * @param {typeof globalThis} [scope]
 */
export function canPush(scope = globalThis) {
  return Boolean(
    scope.navigator?.serviceWorker &&
      scope.PushManager &&
      scope.Notification &&
      scope.crypto?.subtle,
  );
}

/**
 * Decode base64url, the form of the site's key, to bytes.
 * @param {string} text
 */
export function keyBytes(text) {
  const plain = text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(plain), (letter) => letter.charCodeAt(0));
}

/**
 * The digest by which the server identifies this browser's subscription.
 * @param {string} endpoint
 */
export async function digestOf(endpoint) {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Tell the site of a subscription; throws with a sentence for the player.
 * @param {string} address
 * @param {string} token
 * @param {object} body
 */
async function tell(address, token, body) {
  const answer = await fetch(address, {
    method: "POST",
    headers: { "X-CSRFToken": token, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  }).catch(() => null);
  if (answer?.ok) return;
  // Without a connection, and where a page answers: a stale form or a busy site.
  const said = await answer?.json().catch(() => null);
  throw new Error(said?.message ?? gettext("That didn't work. Please try again."));
}

/** This browser's subscription, or null. */
export async function present() {
  const worker = await navigator.serviceWorker.ready;
  return worker.pushManager.getSubscription();
}

/**
 * Whether a subscription was made with this key of the site; one made with another gets no messages.
 * @param {PushSubscription} made
 * @param {string} key
 */
export function isFor(made, key) {
  const used = made.options?.applicationServerKey;
  return !used || String(new Uint8Array(used)) === String(keyBytes(key));
}

/**
 * Request permission, subscribe and tell the site; throws with a sentence for the player.
 * @param {{ key: string, address: string, token: string }} props
 */
export async function subscribe({ key, address, token }) {
  if ((await Notification.requestPermission()) !== "granted") {
    throw new Error(
      gettext("Notifications are blocked. You can allow them in your browser's settings."),
    );
  }
  const worker = await navigator.serviceWorker.ready;
  const old = await worker.pushManager.getSubscription();
  if (old && !isFor(old, key)) await old.unsubscribe(); // browsers refuse a second key
  const wanted = { userVisibleOnly: true, applicationServerKey: keyBytes(key) };
  const made = await worker.pushManager.subscribe(wanted).catch(() => {
    throw new Error(gettext("That didn't work. Please try again.")); // not the browser's English
  });
  await tell(address, token, made.toJSON());
}

/** @param {{ address: string, token: string }} props */
export async function unsubscribe({ address, token }) {
  const made = await present();
  if (!made) return;
  await tell(address, token, { endpoint: made.endpoint });
  await made.unsubscribe();
}
