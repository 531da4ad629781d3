/* Shows the current state of a part of a page, keeping what the reader has opened, and the focus. */

import { localise } from "../text/local_time.js";

/**
 * Replace the content of `part` by that of `fresh`, which comes from the server.
 * @param {HTMLElement} part
 * @param {HTMLElement} fresh
 */
export function refresh(part, fresh) {
  const focused = document.activeElement;
  const place = focused && part.contains(focused) ? twin(focused, part, fresh) : null;
  for (const summary of part.querySelectorAll("details > summary")) {
    const before = summary.parentElement;
    const after = twin(summary, part, fresh)?.parentElement;
    if (before instanceof HTMLDetailsElement && after instanceof HTMLDetailsElement) {
      after.open = before.open;
    }
  }
  part.replaceChildren(...fresh.childNodes);
  localise(part);
  place?.focus({ preventScroll: true });
}

/**
 * The element of `fresh` that stands where `element` stood: below the same id, and with the same
 * address, label or words.
 * @param {Element} element
 * @param {HTMLElement} part
 * @param {HTMLElement} fresh
 * @returns {HTMLElement | undefined}
 */
function twin(element, part, fresh) {
  const named = element.closest("[id]");
  const within = named && named !== part && part.contains(named);
  const scope = within ? fresh.querySelector(`[id="${named.id}"]`) : fresh;
  if (named === element) return scope instanceof HTMLElement ? scope : undefined;
  /** @type {NodeListOf<HTMLElement> | undefined} */
  const same = scope?.querySelectorAll(element.localName);
  return [...(same ?? [])].find((each) => key(each) === key(element));
}

/** @param {Element} element */
function key(element) {
  // What a summary says may change; its details have an id then.
  const named = element.localName === "summary" ? element.parentElement?.id : "";
  return (
    named ||
    (element.getAttribute("href") ??
      element.getAttribute("aria-labelledby") ??
      element.textContent?.trim())
  );
}
