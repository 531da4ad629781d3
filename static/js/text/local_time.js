/* Times in this device's time zone and language. */

const DAY = 24 * 3600 * 1000; // milliseconds

/**
 * "Tuesday 18:30" within six days of `now`, else "24 November, 18:30"; `language` as for Intl.
 * @param {number} moment
 * @param {{ now?: number, language?: string, timeZone?: string }} [props]
 */
export function localTimeText(moment, { now = Date.now(), language, timeZone } = {}) {
  const near = Math.abs(moment - now) < 6 * DAY;
  /** @type {Intl.DateTimeFormatOptions} */
  const day = near ? { weekday: "long" } : { day: "numeric", month: "long" };
  /** @type {Intl.DateTimeFormatOptions} */
  const form = { ...day, hour: "numeric", minute: "2-digit", timeZone };
  return new Intl.DateTimeFormat(language, form).format(new Date(moment));
}

/** The page's language in the reader's regional form: "en-GB" if the page is in "en". */
export function pageLanguage() {
  const page = globalThis.document?.documentElement.lang || undefined;
  return globalThis.navigator?.languages?.find((own) => own.split("-")[0] === page) ?? page;
}

/**
 * Show each time of the page in the reader's zone; without this it is the server's.
 * @param {Document} [page]
 */
export function localise(page = document) {
  /** @type {NodeListOf<HTMLTimeElement>} */
  const moments = page.querySelectorAll("time[data-moment]");
  for (const shown of moments) {
    const moment = Date.parse(shown.dateTime);
    if (!Number.isNaN(moment))
      shown.textContent = localTimeText(moment, { language: pageLanguage() });
  }
}
