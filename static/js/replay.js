/* Entry of the replay page: fetches the steps of the match, and shows the one that is asked for. */

import { html, render } from "../vendor/preact/preact.js";
import { Announcer } from "./a11y.js";
import { loadSprite } from "./cards.js";
import { Motion } from "./motion.js";
import * as preferences from "./preferences.js";
import { lookOf } from "./replay/address.js";
import { Replay } from "./replay/app.js";
import { listen } from "./replay/keys.js";
import { Player } from "./replay/player.js";
import { framesOf } from "./replay/positions.js";
import { createStore } from "./store.js";
import "./pages/install.js";
import "./pages/theme.js";

function start(root) {
  const settings = preferences.load();
  preferences.apply(settings);
  const narrow = matchMedia("(max-width: 759px), (max-height: 560px)");
  const wide = matchMedia("(min-width: 1120px)");
  const first = {
    match: root.dataset.match,
    csrf: root.dataset.csrf,
    levels: JSON.parse(document.getElementById("levels").textContent),
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
  let player = null;
  const motion = new Motion(root, () => preferences.isStill(store.get().settings));
  const store = createStore(first, (state) => draw(root, state, player, motion));
  narrow.addEventListener("change", () => store.set({ narrow: narrow.matches }));
  wide.addEventListener("change", () => store.set({ wide: wide.matches }));
  loadSprite(root.dataset.sprite);
  draw(root, first, null, motion);
  fetchSteps(root.dataset.frames)
    .then((data) => {
      player = begin(store, data, root.dataset);
    })
    .catch((problem) => {
      store.set({ failed: true });
      throw problem;
    });
}

async function fetchSteps(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  return answer.json();
}

function begin(store, data, { step, part }) {
  const player = new Player({ store, data, frames: framesOf(data), announcer: new Announcer() });
  const table = { status: "playing", seats: data.seats, match: data.match };
  store.set({ table, ruleset: data.ruleset, ...lookOf(location.search, data) });
  player.listen();
  listen(player);
  player.toStep(Number(step), Number(part));
  return player;
}

function draw(root, state, player, motion) {
  const shown = { ...state, deck: state.narrow ? "large" : state.settings.deck };
  const ready = player !== null || state.failed;
  const page = html`<${Replay} state=${ready ? shown : { ...shown, model: null }} player=${player} />`;
  motion.around(state.model, () => render(page, root));
  root.dataset.shown = state.view ? `${state.view.v}.${player.position.part}` : "";
}

start(document.getElementById("replay"));
