/* Registers the service worker once the page has loaded. */

if (navigator.serviceWorker) {
  addEventListener("load", () => navigator.serviceWorker.register("/sw.js").catch(() => {}));
}
