/* The CSRF token with which a script sends what changes something. */

import { one } from "../ui/dom.js";

const COOKIE = /(?:^|; )(?:__Host-csrf|csrftoken)=([^;]+)/;

/**
 * Return the token that is valid now. A login in another tab replaces the one that the page came
 * with, so ask for it when sending.
 * @param {ParentNode} page a part of the page with the field of its own token, used without a cookie
 */
export function csrfToken(page) {
  const own = one(page, "[name=csrfmiddlewaretoken]", HTMLInputElement);
  return COOKIE.exec(document.cookie)?.[1] ?? own.value;
}
