/* Messages of this device: asked for by a button, and never by the page itself. */

import { gettext } from "./texts.js";

/** Whether this browser can be told anything while the site is closed. */
export function canPush(scope = globalThis) {
  return Boolean(
    scope.navigator?.serviceWorker &&
      scope.PushManager &&
      scope.Notification &&
      scope.crypto?.subtle,
  );
}

/** base64url -> bytes, as the push manager wants the site's key. */
export function keyBytes(text) {
  const plain = text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(plain), (letter) => letter.charCodeAt(0));
}

/** What the server knows this browser by. */
export async function digestOf(endpoint) {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function tell(address, token, body) {
  const answer = await fetch(address, {
    method: "POST",
    headers: { "X-CSRFToken": token, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.message);
}

/** The subscription that this browser has already, or null. */
export async function present() {
  const worker = await navigator.serviceWorker.ready;
  return worker.pushManager.getSubscription();
}

/** Ask for the permission, and tell the site; throws with a sentence for the player. */
export async function subscribe({ key, address, token }) {
  if ((await Notification.requestPermission()) !== "granted") {
    throw new Error(gettext("Your browser does not allow messages of this site; its settings do."));
  }
  const worker = await navigator.serviceWorker.ready;
  const made = await worker.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: keyBytes(key),
  });
  await tell(address, token, made.toJSON());
}

export async function unsubscribe({ address, token }) {
  const made = await present();
  if (!made) return;
  await tell(address, token, { endpoint: made.endpoint });
  await made.unsubscribe();
}
