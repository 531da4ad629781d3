/* Moments as this device's clock and language have them. Pure but for what it is asked to fill. */

const DAY = 24 * 3600 * 1000; // milliseconds

/** "Tuesday 18:30" within six days of `now`, else "24 November, 18:30"; language as for Intl. */
export function momentText(moment, { now = Date.now(), language, timeZone } = {}) {
  const near = Math.abs(moment - now) < 6 * DAY;
  const day = near ? { weekday: "long" } : { day: "numeric", month: "long" };
  const form = { ...day, hour: "numeric", minute: "2-digit", timeZone };
  return new Intl.DateTimeFormat(language, form).format(new Date(moment));
}

/** The page's language, as the reader's own device writes it: "en-GB" where the page is in "en". */
export function pageLanguage() {
  const page = globalThis.document?.documentElement.lang || undefined;
  return globalThis.navigator?.languages?.find((own) => own.split("-")[0] === page) ?? page;
}

/** Put each moment of the page into the zone of who reads it; without this it is the server's. */
export function localise(page = document) {
  for (const shown of page.querySelectorAll("time[data-moment]")) {
    const moment = Date.parse(shown.dateTime);
    if (!Number.isNaN(moment)) shown.textContent = momentText(moment, { language: pageLanguage() });
  }
}
