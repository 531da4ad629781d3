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

/** A time of day as the server writes it: "18:30", "18h30". */
const CLOCK = /\d\d?[:h.]\d\d/;

/**
 * "24 November 2026, 18:30", or without the time of day; `language` as for Intl.
 * @param {number} moment
 * @param {{ clock: boolean, language?: string, timeZone?: string }} props
 */
export function localDateText(moment, { clock, language, timeZone }) {
  /** @type {Intl.DateTimeFormatOptions} */
  const form = clock
    ? { dateStyle: "medium", timeStyle: "short", timeZone }
    : { dateStyle: "medium", timeZone };
  return new Intl.DateTimeFormat(language, form).format(new Date(moment));
}

/**
 * "Thu, Dec 3, 2026, 7:00 – 10:00 PM GMT+1": a span with its weekday and zone, each date once.
 * @param {number} from
 * @param {number} to
 * @param {{ language?: string, timeZone?: string }} [props]
 */
export function localSpanText(from, to, { language, timeZone } = {}) {
  /** @type {Intl.DateTimeFormatOptions} */
  const day = { weekday: "short", day: "numeric", month: "short", year: "numeric" };
  /** @type {Intl.DateTimeFormatOptions} */
  const clock = { hour: "numeric", minute: "2-digit", timeZoneName: "short" };
  const form = new Intl.DateTimeFormat(language, { ...day, ...clock, timeZone });
  return form.formatRange(new Date(from), new Date(to));
}

/**
 * The label of a moment on the axis of a chart: a date, or for `clock` a time of day.
 * @param {number} moment
 * @param {{ clock: boolean, language?: string, timeZone?: string }} props
 */
export function axisText(moment, { clock, language, timeZone }) {
  /** @type {Intl.DateTimeFormatOptions} */
  const form = clock ? { timeStyle: "short", timeZone } : { dateStyle: "medium", timeZone };
  return new Intl.DateTimeFormat(language, form).format(new Date(moment));
}

/**
 * Show each time below `root` in the reader's zone. Without this it is the server's, which is named.
 * A time says how: `data-moment` is near now and has a weekday, `data-as-is` is none of a clock ("for
 * 5 minutes"), the others keep what the server shows: a date, or a date and the time of day.
 * On the axis of a chart a moment is text with `data-at`; two times in `data-range` are one span.
 * @param {ParentNode} [root]
 */
export function localise(root = document) {
  const language = pageLanguage();
  for (const span of root.querySelectorAll("[data-range]")) localiseSpan(span, language);
  /** @type {NodeListOf<HTMLTimeElement>} */
  const moments = root.querySelectorAll('time[datetime*="T"]:not([data-as-is], [data-local])');
  for (const shown of moments) {
    const moment = Date.parse(shown.dateTime);
    if (Number.isNaN(moment)) continue;
    const text = shown.textContent ?? "";
    shown.dataset.local = "";
    shown.title = text.trim();
    shown.textContent =
      "moment" in shown.dataset
        ? localTimeText(moment, { language })
        : localDateText(moment, { clock: CLOCK.test(text), language });
  }
  /** @type {NodeListOf<SVGTextElement>} */
  const labels = root.querySelectorAll("text[data-at]:not([data-local])");
  for (const label of labels) {
    const moment = Date.parse(label.dataset.at ?? "");
    if (Number.isNaN(moment)) continue;
    label.dataset.local = "";
    label.textContent = axisText(moment, { clock: CLOCK.test(label.textContent ?? ""), language });
  }
}

/**
 * @param {Element} span
 * @param {string | undefined} language
 */
function localiseSpan(span, language) {
  const [from, to] = [...span.querySelectorAll("time")].map((each) => Date.parse(each.dateTime));
  if (from === undefined || to === undefined || Number.isNaN(from) || to < from) return;
  span.setAttribute("title", (span.textContent ?? "").trim());
  span.textContent = localSpanText(from, to, { language });
}
