/* Entry point of the replay page: fetches the steps of the match, and shows the requested one. */

import { html, render } from "../../vendor/preact/preact.js";
import { Announcer } from "../access/announcer.js";
import * as preferences from "../access/preferences.js";
import { CardMotion } from "../table/card_motion.js";
import { loadSprite } from "../table/card_svg.js";
import { dataOf, one } from "../ui/dom.js";
import { createStore } from "../ui/store.js";
import { lookOf } from "./address.js";
import { Replay } from "./app.js";
import { listen } from "./keyboard.js";
import { Player } from "./player.js";
import { framesOf } from "./positions.js";
import "../pages/register_worker.js";
import "../pages/theme_switch.js";

/** @import { ReplayData, ReplayState } from "./types.js" */
/** @import { Store } from "../ui/store.js" */

/** @param {HTMLElement} root */
function start(root) {
  const settings = preferences.load();
  preferences.apply(settings);
  const narrow = matchMedia("(max-width: 759px), (max-height: 560px)");
  const wide = matchMedia("(min-width: 1120px)");
  /** @type {ReplayState} */
  const first = {
    match: dataOf(root, "match"),
    csrf: dataOf(root, "csrf"),
    levels: JSON.parse(one(document, "#levels", HTMLScriptElement).textContent),
    failed: false,
    model: null,
    view: null,
    table: null,
    ruleset: null,
    at: 0,
    side: 0,
    open: false,
    turned: null,
    busy: false,
    chosen: [],
    hint: null,
    sending: null,
    notices: [],
    panel: null,
    focusAt: 0,
    replay: true,
    settings,
    narrow: narrow.matches,
    wide: wide.matches,
  };
  /** @type {Player | null} */
  let player = null;
  const motion = new CardMotion(root, () => preferences.isStill(store.get().settings));
  const store = createStore(first, (state) => draw(root, state, player, motion));
  narrow.addEventListener("change", () => store.set({ narrow: narrow.matches }));
  wide.addEventListener("change", () => store.set({ wide: wide.matches }));
  loadSprite(dataOf(root, "sprite"));
  draw(root, first, null, motion);
  fetchSteps(dataOf(root, "frames"))
    .then((data) => {
      player = begin(store, data, root.dataset);
    })
    .catch((problem) => {
      store.set({ failed: true });
      throw problem;
    });
}

/**
 * @param {string} address
 * @returns {Promise<ReplayData>}
 */
async function fetchSteps(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  return answer.json();
}

/**
 * @param {Store<ReplayState>} store
 * @param {ReplayData} data
 * @param {DOMStringMap} props
 */
function begin(store, data, { step, part }) {
  const player = new Player({ store, data, frames: framesOf(data), announcer: new Announcer() });
  /** @type {ReplayState["table"]} */
  const table = { status: "playing", seats: data.seats, match: data.match, claimed: data.claimed };
  store.set({ table, ruleset: data.ruleset, ...lookOf(location.search, data) });
  player.listen();
  listen(player);
  player.toStep(Number(step), Number(part));
  return player;
}

/**
 * @param {HTMLElement} root
 * @param {ReplayState} state
 * @param {Player | null} player
 * @param {CardMotion} motion
 */
function draw(root, state, player, motion) {
  const shown = { ...state, deck: state.narrow ? "large" : state.settings.deck };
  const ready = player !== null || state.failed;
  const page = html`<${Replay} state=${ready ? shown : { ...shown, model: null }} player=${player} />`;
  motion.around(state.model, () => render(page, root));
  root.dataset.shown = state.view && player ? `${state.view.v}.${player.position.part}` : "";
}

start(one(document, "#replay", HTMLElement));
