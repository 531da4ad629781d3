/* The switch between light and dark, stored with this browser's other preferences. The server reads
   the cookie, so that no page flashes in the wrong colours. */

import { follow, load, save } from "../access/preferences.js";

/** @import { Settings } from "../table/types.js" */

const A_YEAR = 365 * 24 * 3600; // seconds

const root = document.documentElement;
/** @type {NodeListOf<HTMLElement>} */
const buttons = document.querySelectorAll("[data-theme-switch]");

function isDark() {
  const chosen = root.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/** @param {Settings["theme"]} theme */
function tellServer(theme) {
  const age = theme === "system" ? 0 : A_YEAR;
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the cookie store yet
  document.cookie = `theme=${theme}; path=/; max-age=${age}; samesite=lax`;
}

/** @param {Settings["theme"]} theme */
function show(theme) {
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  for (const button of buttons) {
    button.hidden = false;
    button.setAttribute("aria-pressed", String(isDark()));
  }
}

/** @param {Settings["theme"]} theme */
function choose(theme) {
  save({ ...load(), theme });
  tellServer(theme);
  show(theme);
}

const { theme } = load();
if (theme !== (root.dataset.theme ?? "system")) tellServer(theme);
show(theme);
follow((settings) => show(settings.theme));
for (const button of buttons) {
  button.addEventListener("click", () => choose(isDark() ? "light" : "dark"));
}
