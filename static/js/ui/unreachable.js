/* Whether the site can be reached, and the sentence below a form that says that it can't. */

const ALIVE = "/healthz";
const PATIENCE_MS = 5000;
const TOLD = "data-offline-told";

/** Whether the site answers, whatever it says. */
export async function answers() {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    await fetch(ALIVE, { method: "HEAD", cache: "no-store", signal });
    return true;
  } catch {
    return false;
  }
}

/**
 * Say below a form that the site can't be reached.
 * @param {HTMLFormElement} form
 */
export function tell(form) {
  const told = document.createElement("p");
  told.className = "form-error";
  told.setAttribute("role", "alert");
  told.setAttribute(TOLD, "");
  form.append(told);
  told.textContent = document.body.dataset.offline ?? ""; // once it is in the page, so that it is announced
  told.scrollIntoView({ block: "center" }); // not under the bar at the bottom of phones
}

/**
 * Remove what was said in a part of the page.
 * @param {ParentNode} part
 */
export function forget(part) {
  for (const told of part.querySelectorAll(`[${TOLD}]`)) told.remove();
}
