/* Forms that ask for times: in the visitor's zone, which is sent with the form and named beside it.
   Without this script they are in UTC. An end moves with its start, and with the number and length of
   the games. */

const MINUTE = 60 * 1000; // milliseconds
const HOUR = 60 * MINUTE;
const NIGHT = 3 * HOUR;
const LONGEST = 24 * HOUR;

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const shown of document.querySelectorAll("[data-zone]")) {
  const form = shown.closest("form");
  const field = form?.elements.namedItem("zone");
  if (zone && field instanceof HTMLInputElement) {
    field.value = zone;
    shown.textContent = zone.replaceAll("_", " ");
  }
  const starts = form?.elements.namedItem("starts");
  const ends = form?.elements.namedItem("ends");
  if (starts instanceof HTMLInputElement && ends instanceof HTMLInputElement) {
    follow(starts, ends);
    const games = form?.elements.namedItem("games");
    const minutes = form?.elements.namedItem("minutes");
    if (games instanceof HTMLInputElement && minutes instanceof HTMLInputElement) {
      for (const each of [games, minutes]) {
        each.addEventListener("input", () => fit(starts, ends, games, minutes));
      }
    }
  }
}

/**
 * Move the end so that all games of a night fit.
 * @param {HTMLInputElement} starts
 * @param {HTMLInputElement} ends
 * @param {HTMLInputElement} games
 * @param {HTMLInputElement} minutes
 */
function fit(starts, ends, games, minutes) {
  const from = Date.parse(`${starts.value}Z`);
  const length = Number(games.value) * Number(minutes.value) * MINUTE;
  if (Number.isNaN(from) || length <= 0 || length > LONGEST) return;
  ends.value = new Date(from + length).toISOString().slice(0, 16);
}

/**
 * Keep the length of a night when its start changes.
 * @param {HTMLInputElement} starts
 * @param {HTMLInputElement} ends
 */
function follow(starts, ends) {
  // The fields have no zone: both are read as UTC, so that only their difference matters.
  let before = Date.parse(`${starts.value}Z`);
  starts.addEventListener("change", () => {
    const now = Date.parse(`${starts.value}Z`);
    if (Number.isNaN(now)) return;
    const end = Date.parse(`${ends.value}Z`);
    const length = end > before ? end - before : NIGHT;
    ends.value = new Date(now + length).toISOString().slice(0, 16);
    before = now;
  });
}
