/* A player's preferences, kept in this browser. */

import { callEach } from "../text/count_phrases.js";
import { keep, recall, storageOf } from "../ui/storage.js";

/** @import { Settings } from "../table/types.js" */

const KEY = "cribbage.settings";

/** @type {Settings} */
export const DEFAULTS = {
  deck: "classic", // classic | large
  colours: "two", // two | four
  oneTap: false,
  premove: true,
  sort: "rank", // rank | dealt
  table: "felt", // felt | wood | paper
  board: "long", // long | loop
  side: "right", // right | left: the hand that the player uses
  pace: "auto", // tap | auto | instant
  sound: true,
  volume: 0.6,
  voice: false, // whether counts are spoken
  theme: "system", // system | light | dark
  motion: "system", // system | less
  letters: true, // whether letters are shortcuts
  numbers: true, // whether 1 to 6 and ? are
  calls: "names", // names | each: whether a double run is called as one, or combination by combination
};

/** @param {Storage | null} [storage] */
export function load(storage = storageOf("localStorage")) {
  try {
    const kept = JSON.parse(recall(storage, KEY) ?? "{}");
    const known = Object.entries(kept).filter(([key]) => key in DEFAULTS);
    return { ...DEFAULTS, ...Object.fromEntries(known) };
  } catch {
    return { ...DEFAULTS };
  }
}

/**
 * Keep preferences; without storage they last until the page is closed.
 * @param {Settings} settings
 * @param {Storage | null} [storage]
 */
export function save(settings, storage = storageOf("localStorage")) {
  keep(storage, KEY, JSON.stringify(settings));
}

/**
 * Call `take` with the preferences after each change in another tab, and when the page comes back from
 * the browser's cache, where it heard of none. A page that went on with old ones would save them again.
 * @param {(settings: Settings) => void} take
 */
export function follow(take) {
  addEventListener("storage", ({ key }) => key === KEY && take(load()));
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted && recall(storageOf("localStorage"), KEY)) take(load());
  });
}

/**
 * Set the preferences for the whole page: on its root element, and for counts in words.
 * @param {Settings} settings
 * @param {HTMLElement} [root]
 */
export function apply(settings, root = document.documentElement) {
  if (settings.theme === "system") delete root.dataset.theme;
  else root.dataset.theme = settings.theme;
  root.dataset.colours = settings.colours;
  root.dataset.motion = settings.motion;
  root.dataset.table = settings.table;
  root.dataset.side = settings.side;
  callEach(settings.calls === "each");
}

/**
 * Whether pegs and cards should jump instead of move.
 * @param {Settings} settings
 */
export function isStill(settings) {
  return settings.motion === "less" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}
