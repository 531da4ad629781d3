/* Without a connection, forms are not sent: the browser's error page would take the place of the page, with
   what was chosen or written in it. A computer that runs the site itself may have no network either, so a
   browser that says so is not believed: the site is asked first. */

const ALIVE = "/healthz";
const PATIENCE_MS = 5000;
const TOLD = "data-offline-told";

/** Forms that wait for the site's answer. @type {WeakSet<HTMLFormElement>} */
const waiting = new WeakSet();
/** The form that is being sent after all. @type {HTMLFormElement | null} */
let sent = null;

addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  const text = document.body.dataset.offline;
  if (!(form instanceof HTMLFormElement) || form.method !== "post" || !text) return;
  if (navigator.onLine || event.defaultPrevented || form === sent) return;
  event.preventDefault();
  if (waiting.has(form)) return; // a second click
  waiting.add(form);
  const answered = await answers();
  waiting.delete(form);
  forget(form);
  if (answered) send(form, submitter);
  else tell(form, text);
});

async function answers() {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    await fetch(ALIVE, { method: "HEAD", cache: "no-store", signal });
    return true; // whatever it says
  } catch {
    return false;
  }
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 */
function send(form, submitter) {
  const button = /** @type {HTMLButtonElement | HTMLInputElement | null} */ (submitter);
  if (button && button.form !== form) return; // the page has replaced it meanwhile
  sent = form;
  form.requestSubmit(button);
  sent = null;
}

/**
 * @param {HTMLFormElement} form
 * @param {string} text
 */
function tell(form, text) {
  const told = document.createElement("p");
  told.className = "form-error";
  told.setAttribute("role", "alert");
  told.setAttribute(TOLD, "");
  form.append(told);
  told.textContent = text; // once it is in the page, so that it is announced
  told.scrollIntoView({ block: "center" }); // not under the bar at the bottom of phones
}

/** @param {ParentNode} part */
function forget(part) {
  for (const told of part.querySelectorAll(`[${TOLD}]`)) told.remove();
}

addEventListener("online", () => forget(document));
