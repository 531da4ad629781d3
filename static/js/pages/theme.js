/* Light or dark by choice, kept with the other settings of this browser. The server reads the
   cookie, so that no page flashes in the wrong one. */

import { load, save } from "../preferences.js";

const A_YEAR = 365 * 24 * 3600; // seconds

const root = document.documentElement;

function isDark() {
  const chosen = root.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function tellServer(theme) {
  const age = theme === "system" ? 0 : A_YEAR;
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not in every browser yet
  document.cookie = `theme=${theme}; path=/; max-age=${age}; samesite=lax`;
}

function show(theme) {
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  for (const button of document.querySelectorAll("[data-theme-switch]")) {
    button.hidden = false;
    button.setAttribute("aria-pressed", String(isDark()));
  }
}

function choose(theme) {
  save({ ...load(), theme });
  tellServer(theme);
  show(theme);
}

const { theme } = load();
if (theme !== (root.dataset.theme ?? "system")) tellServer(theme);
show(theme);
for (const button of document.querySelectorAll("[data-theme-switch]")) {
  button.addEventListener("click", () => choose(isDark() ? "light" : "dark"));
}
