/* The offline page, shown at the address that could not be loaded: loads it once there is a
   connection again. At its own address, it is the page that was asked for. */

const OWN_PATH = "/offline/";
const TRY_MS = 5000;

async function tryAgain() {
  try {
    const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" });
    if (answer.status < 500) location.reload();
  } catch {
    // Still no connection.
  }
}

if (location.pathname !== OWN_PATH) {
  addEventListener("online", tryAgain);
  setInterval(tryAgain, TRY_MS);
}
