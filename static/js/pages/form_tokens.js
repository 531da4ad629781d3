/* Forms of visitors and guests are sent with the CSRF token that is valid now: a login in another tab
   replaces the one that the page came with, and what was written in the form would be lost. Those of
   an account are refused after such a login, which is another person's. */

import { csrfToken } from "../net/csrf.js";

addEventListener("submit", ({ target }) => {
  if (!(target instanceof HTMLFormElement) || document.body.dataset.account !== undefined) return;
  const field = target.querySelector("[name=csrfmiddlewaretoken]");
  if (field instanceof HTMLInputElement) field.value = csrfToken(target);
});
