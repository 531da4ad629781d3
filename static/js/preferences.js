/* What a player has chosen for himself, kept in this browser. */

const KEY = "cribbage.settings";

export const DEFAULTS = {
  deck: "classic", // classic | large
  colours: "two", // two | four
  oneTap: false,
  premove: true,
  sort: "rank", // rank | dealt
  table: "felt", // felt | wood | paper: what the table top is of
  board: "long", // long | loop
  side: "right", // right | left: the hand that one plays with
  pace: "auto", // tap | auto | instant
  sound: true,
  volume: 0.6,
  voice: false, // the counts said aloud
  theme: "system", // system | light | dark
  motion: "system", // system | less
  letters: true,
};

export function load(storage = globalThis.localStorage) {
  try {
    const kept = JSON.parse(storage.getItem(KEY) ?? "{}");
    const known = Object.entries(kept).filter(([key]) => key in DEFAULTS);
    return { ...DEFAULTS, ...Object.fromEntries(known) };
  } catch {
    return { ...DEFAULTS };
  }
}

export function save(settings, storage = globalThis.localStorage) {
  try {
    storage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Private windows may refuse: the choice then lasts as long as the page.
  }
}

/** Put what concerns the whole page on its root element. */
export function apply(settings, root = document.documentElement) {
  if (settings.theme === "system") delete root.dataset.theme;
  else root.dataset.theme = settings.theme;
  root.dataset.colours = settings.colours;
  root.dataset.motion = settings.motion;
  root.dataset.table = settings.table;
  root.dataset.side = settings.side;
}

/** Whether pegs and cards should jump instead of move. */
export function isStill(settings) {
  return settings.motion === "less" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}
