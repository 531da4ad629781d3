/* Keyboard control of the replay. */

/** @import { Player } from "./player.js" */

/**
 * The action of a key, if it has one.
 * @param {string} key
 * @param {Player} player
 * @param {boolean} letters
 */
export function workOf(key, player, letters) {
  const { side, open } = player.store.get();
  const seats = player.data.seats.length;
  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowRight: () => player.move(1),
    ArrowLeft: () => player.move(-1),
    ArrowDown: () => player.hand(1),
    ArrowUp: () => player.hand(-1),
    PageDown: () => player.hand(1),
    PageUp: () => player.hand(-1),
    Home: () => player.show(0),
    End: () => player.show(player.positions.length - 1),
    "?": () => player.open("help"),
  };
  if (letters) {
    keys.o = () => player.look({ open: !open });
    keys.f = () => player.look({ side: (side + 1) % seats });
  }
  return keys[key.length === 1 ? key.toLowerCase() : key];
}

/**
 * @param {Player} player
 * @param {Document} [target]
 */
export function listen(player, target = document) {
  target.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const at = event.target;
    if (!(at instanceof Element)) return;
    const slider = at.matches("input[type=range]");
    if (!slider && at.closest("dialog, input, select, textarea, #review-panel, .log-scroll"))
      return;
    const work = workOf(event.key, player, player.store.get().settings.letters);
    if (!work) return;
    event.preventDefault();
    work();
  });
}
