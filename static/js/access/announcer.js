/* Announcements for screen readers: a polite log of events, and an assertive alert. */

const MAX_LINES = 40;

export class Announcer {
  /** @param {Document} [page] */
  constructor(page = document) {
    this.log = region(page, "log", "polite");
    this.alert = region(page, "alert", "assertive");
  }

  /** @param {string} text */
  say(text) {
    this.add(this.log, text);
  }

  /**
   * Announce at once: only for the player's own turn, errors and the end.
   * @param {string} text
   */
  insist(text) {
    this.add(this.alert, text);
  }

  /**
   * @param {Element} place
   * @param {string} text
   */
  add(place, text) {
    if (!text) return;
    const line = place.ownerDocument.createElement("p");
    line.textContent = text;
    place.append(line);
    while (place.children.length > MAX_LINES) place.firstChild?.remove();
  }
}

/**
 * @param {Document} page
 * @param {string} role
 * @param {string} how
 */
function region(page, role, how) {
  const place = page.createElement("div");
  place.className = "spoken";
  place.setAttribute("role", role);
  place.setAttribute("aria-live", how);
  place.setAttribute("aria-relevant", "additions");
  place.setAttribute("aria-atomic", "false"); // an alert is read whole otherwise: every earlier turn
  page.querySelector("#main")?.append(place);
  return place;
}
