/* Keeps the focus at the table when the focused element is removed: by the next hand, or by a friend
   who sits down. The focus moves to the hand, or to the page's main part where there is none, and Tab
   continues from there. */

import { one } from "../ui/dom.js";

/** @param {HTMLElement} root */
export function keepFocus(root) {
  /** @type {Element | null} */
  let held = null;
  root.addEventListener("focusin", ({ target }) => {
    held = target instanceof Element ? target : null;
  });
  root.addEventListener("focusout", () => {
    // Some browsers also send it when the element is removed, which is done by the next microtask.
    queueMicrotask(() => {
      if (held?.isConnected && held !== document.activeElement) held = null;
    });
  });
  new MutationObserver(() => {
    if (!held || held.isConnected) return;
    held = null;
    if (document.activeElement !== document.body) return;
    /** @type {HTMLElement | null} */
    const hand = root.querySelector(".hand");
    (hand ?? one(document, "#main", HTMLElement)).focus({ preventScroll: true });
  }).observe(root, { childList: true, subtree: true });
}
