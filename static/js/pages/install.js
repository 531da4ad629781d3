/* Hands the site's service worker to the browser, once the page is there. */

if (navigator.serviceWorker) {
  addEventListener("load", () => navigator.serviceWorker.register("/sw.js").catch(() => {}));
}
