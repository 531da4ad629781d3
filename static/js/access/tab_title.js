/* The tab says whose turn it is: its title always, its icon only while nobody looks at it. It also
   tells a host who waits in another tab who has sat down. */

import { gettext } from "../text/translations.js";

const DOT =
  "data:image/svg+xml," +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="15" fill="#e8b84a"/>' +
      '<circle cx="16" cy="16" r="7" fill="#8e2b26"/></svg>',
  );

export class TabTitle {
  /** @param {Document} [page] */
  constructor(page = document) {
    this.page = page;
    this.title = page.title;
    /** @type {HTMLLinkElement | null} */
    this.icon = page.querySelector('link[rel="icon"]');
    this.usual = this.icon?.getAttribute("href") ?? null;
  }

  /**
   * `own` says that this player must act; `what` says what they must do. `news` is shown otherwise.
   * @param {boolean} own
   * @param {string} what
   * @param {string | null} news
   */
  update(own, what, news) {
    const other = news ? `● ${news}` : this.title;
    const title = own ? gettext("● Your turn — %(what)s", { what }) : other;
    if (this.page.title !== title) this.page.title = title;
    const call = own || news !== null;
    this.mark(call && (this.page.hidden || !this.page.hasFocus()));
  }

  /** @param {boolean} on */
  mark(on) {
    if (on === (this.icon?.getAttribute("href") === DOT)) return;
    if (!this.icon) {
      this.icon = this.page.createElement("link");
      this.icon.rel = "icon";
      this.page.head.append(this.icon);
    }
    if (on) this.icon.setAttribute("href", DOT);
    else if (this.usual) this.icon.setAttribute("href", this.usual);
    else this.icon.removeAttribute("href");
  }
}
