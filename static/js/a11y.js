/* What a screen reader hears: one quiet log of what happens, and an alert for what must not wait. */

const KEPT = 40;

export class Announcer {
  constructor(page = document) {
    this.log = region(page, "log", "polite");
    this.alert = region(page, "alert", "assertive");
  }

  say(text) {
    this.add(this.log, text);
  }

  /** Only for own turn, errors and the end. */
  insist(text) {
    this.add(this.alert, text);
  }

  add(place, text) {
    if (!text) return;
    const line = place.ownerDocument.createElement("p");
    line.textContent = text;
    place.append(line);
    while (place.children.length > KEPT) place.firstChild.remove();
  }
}

function region(page, role, how) {
  const place = page.createElement("div");
  place.className = "spoken";
  place.setAttribute("role", role);
  place.setAttribute("aria-live", how);
  place.setAttribute("aria-relevant", "additions");
  page.querySelector("#main")?.append(place);
  return place;
}
