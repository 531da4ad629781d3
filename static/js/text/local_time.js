/* Times in this device's time zone. A date has the form of the page's language, which the server
   writes, too; a time of day has the reader's own form. `language` is the page's as for Intl, in the
   reader's regional form: "en-GB". */

const DAY = 24 * 3600 * 1000; // milliseconds

/** The page's language in the reader's regional form: "en-GB" if the page is in "en". */
export function pageLanguage() {
  const page = globalThis.document?.documentElement.lang || undefined;
  return globalThis.navigator?.languages?.find((own) => own.split("-")[0] === page) ?? page;
}

/** A time of day as the server writes it: "18:30", "18h30". */
const CLOCK = /\d\d?[:h.]\d\d/;

/**
 * Where the form of a date is at home, and that of its month: `cribbage_site/formats` has the same.
 * @param {string} [language]
 * @returns {{ locale: string, month: "short" | "long" }}
 */
function dateForm(language = new Intl.DateTimeFormat().resolvedOptions().locale) {
  const page = language.split("-")[0];
  return page === "en" ? { locale: "en-US", month: "short" } : { locale: page, month: "long" };
}

/**
 * The form of a time of day, with the 12 or 24 hours of the reader's clock: "6:30 PM", "08:30".
 * @param {string} [language]
 * @returns {Intl.DateTimeFormatOptions}
 */
function clockForm(language) {
  const own = new Intl.DateTimeFormat(language, { hour: "numeric" });
  const { hourCycle } = own.resolvedOptions();
  return { hour: hourCycle === "h23" ? "2-digit" : "numeric", minute: "2-digit", hourCycle };
}

/**
 * "18:30", or "6:30 PM".
 * @param {Date} date
 * @param {{ language?: string, timeZone?: string }} props
 */
function clockText(date, { language, timeZone }) {
  return new Intl.DateTimeFormat(dateForm(language).locale, {
    ...clockForm(language),
    timeZone,
  }).format(date);
}

/**
 * Parts of a date as text. French has an ordinal for the first day of a month, "1er décembre":
 * `games/text/dates.py` has it, too.
 * @param {Intl.DateTimeFormatPart[]} parts
 * @param {string} locale
 */
function dateText(parts, locale) {
  return parts
    .map(({ type, value }) => (type === "day" && value === "1" && locale === "fr" ? "1er" : value))
    .join("");
}

/**
 * A zone's distance from UTC, as in `games/text/dates.py`: "UTC", "UTC+1", "UTC−3:30". Its letters, as
 * in "CET", are English in most languages.
 * @param {Date} date
 * @param {string} [timeZone]
 */
function zoneText(date, timeZone) {
  const form = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "shortOffset" });
  const offset = form.formatToParts(date).find(({ type }) => type === "timeZoneName")?.value ?? "";
  return offset.replace(/^GMT(\+0$)?/, "UTC").replace("-", "−");
}

/**
 * "Tuesday 18:30" within six days of `now`, else "Nov 24, 18:30".
 * @param {number} moment
 * @param {{ now?: number, language?: string, timeZone?: string }} [props]
 */
export function localTimeText(moment, { now = Date.now(), language, timeZone } = {}) {
  const date = new Date(moment);
  const { locale, month } = dateForm(language);
  if (Math.abs(moment - now) < 6 * DAY) {
    const form = { weekday: /** @type {const} */ ("long"), ...clockForm(language), timeZone };
    return new Intl.DateTimeFormat(locale, form).format(date);
  }
  const day = new Intl.DateTimeFormat(locale, { day: "numeric", month, timeZone });
  const text = dateText(day.formatToParts(date), locale);
  return `${text}, ${clockText(date, { language, timeZone })}`;
}

/**
 * "Nov 24, 2026, 18:30", or without the time of day.
 * @param {number} moment
 * @param {{ clock: boolean, language?: string, timeZone?: string }} props
 */
export function localDateText(moment, { clock, language, timeZone }) {
  const date = new Date(moment);
  const { locale, month } = dateForm(language);
  const form = new Intl.DateTimeFormat(locale, {
    day: "numeric",
    month,
    year: "numeric",
    timeZone,
  });
  const day = dateText(form.formatToParts(date), locale);
  return clock ? `${day}, ${clockText(date, { language, timeZone })}` : day;
}

/**
 * "Thu, Dec 3, 2026, 7:00 – 10:00 PM UTC+1": a span with its weekday and zone, each date once.
 * @param {number} from
 * @param {number} to
 * @param {{ language?: string, timeZone?: string }} [props]
 */
export function localSpanText(from, to, { language, timeZone } = {}) {
  const { locale, month } = dateForm(language);
  /** @type {Intl.DateTimeFormatOptions} */
  const day = { weekday: "short", day: "numeric", month, year: "numeric" };
  /** @type {Intl.DateTimeFormatOptions} */
  const clock = clockForm(language);
  const form = new Intl.DateTimeFormat(locale, {
    ...day,
    ...clock,
    timeZone,
  });
  const digits = clock.hour === "2-digit" ? 2 : 1; // a span in Spanish has "0:05" for "00:05"
  const parts = form
    .formatRangeToParts(new Date(from), new Date(to))
    .map((part) =>
      part.type === "hour" ? { ...part, value: part.value.padStart(digits, "0") } : part,
    );
  return `${dateText(parts, locale)} ${zoneText(new Date(to), timeZone)}`;
}

/**
 * The label of a moment on the axis of a chart: a date, or for `clock` a time of day.
 * @param {number} moment
 * @param {{ clock: boolean, language?: string, timeZone?: string }} props
 */
export function axisText(moment, { clock, language, timeZone }) {
  return clock
    ? clockText(new Date(moment), { language, timeZone })
    : localDateText(moment, { clock: false, language, timeZone });
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
