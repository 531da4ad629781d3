/* Without a connection, forms are not sent: the browser's error page would take the place of the page, with
   what was chosen or written in it. A computer that runs the site itself may have no network either, so a
   browser that says so is not believed: the site is asked first. */

import { answers, forget, tell } from "../ui/unreachable.js";

/** Forms that wait for the site's answer. @type {WeakSet<HTMLFormElement>} */
const waiting = new WeakSet();
/** The form that is being sent after all. @type {HTMLFormElement | null} */
let sent = null;

addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  if (!(form instanceof HTMLFormElement) || form.method === "dialog") return;
  if (!document.body.dataset.offline) return;
  if (navigator.onLine || event.defaultPrevented || form === sent) return;
  event.preventDefault();
  if (waiting.has(form)) return; // a second click
  waiting.add(form);
  const answered = await answers();
  waiting.delete(form);
  forget(form);
  if (answered) send(form, submitter);
  else tell(form);
});

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

addEventListener("online", () => forget(document));
