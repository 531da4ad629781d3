/* Without a connection, forms are not sent: the browser's error page would take the place of the page, with
   what was chosen or written in it. A second try is let through, in case the browser is wrong. */

const TOLD = "data-offline-told";

addEventListener("submit", (event) => {
  const { target: form } = event;
  const text = document.body.dataset.offline;
  if (!(form instanceof HTMLFormElement) || form.method !== "post" || !text) return;
  if (navigator.onLine || event.defaultPrevented || form.querySelector(`[${TOLD}]`)) return;
  event.preventDefault();
  const told = document.createElement("p");
  told.className = "form-error";
  told.setAttribute("role", "alert");
  told.setAttribute(TOLD, "");
  form.append(told);
  told.textContent = text; // once it is in the page, so that it is announced
  told.scrollIntoView({ block: "center" }); // not under the bar at the bottom of phones
});

addEventListener("online", () => {
  for (const told of document.querySelectorAll(`[${TOLD}]`)) told.remove();
});
