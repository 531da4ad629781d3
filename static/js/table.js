/* Entry of the table page: reads the root element's data, and sets everything going. */

import { html, render } from "../vendor/preact/preact.js";
import { Announcer } from "./a11y.js";
import { App } from "./app.js";
import { ask, countAfter } from "./ask.js";
import { Attention } from "./attention.js";
import { loadSprite } from "./cards.js";
import { CLOSED } from "./chat-door.js";
import { Coach } from "./coach.js";
import { Controller } from "./controller.js";
import { fairness } from "./fair.js";
import { Keyboard } from "./keyboard.js";
import { Motion } from "./motion.js";
import * as preferences from "./preferences.js";
import { Sounds } from "./sound.js";
import { createStore } from "./store.js";
import { Voice } from "./voice.js";
import "./pages/install.js";
import "./pages/theme.js";

const PACES = ["tap", "auto", "instant"];

function start(root) {
  const settings = preferences.load();
  preferences.apply(settings);
  const narrow = matchMedia("(max-width: 759px), (max-height: 560px)");
  const wide = matchMedia("(min-width: 1120px)");
  const attention = new Attention();
  const first = {
    conn: "connecting",
    refused: null,
    table: null,
    ruleset: null,
    branch: root.dataset.branch ?? null,
    tell: root.dataset.tell ?? null,
    days: root.dataset.days ?? null,
    view: null,
    model: null,
    busy: false,
    blocking: false,
    chosen: [],
    ahead: null,
    claimPoints: null,
    calling: false,
    hint: null,
    hinting: null,
    coach: null,
    coached: false,
    sending: null,
    stored: null,
    notices: [],
    ...CLOSED,
    friends: [],
    panel: null,
    focusAt: 0,
    settings,
    clock: null,
    due: null,
    left: 0,
    fair: fairness(),
    levels: JSON.parse(document.getElementById("levels")?.textContent ?? "[]"),
    narrow: narrow.matches,
    wide: wide.matches,
  };
  let act = null;
  const motion = new Motion(root, () => preferences.isStill(store.get().settings));
  const store = createStore(first, (state) => draw(root, state, { act, attention, motion }));
  const announcer = new Announcer();
  const sounds = new Sounds(() => store.get().settings);
  act = new Controller({
    store,
    announcer,
    sounds,
    voice: new Voice(() => store.get().settings),
    url: socketAddress(root.dataset.socket),
    match: root.dataset.match,
    pace: forcedPace(root),
    coach: coachOf(root.dataset.match),
  });
  new Keyboard({ store, act, announcer }).listen();
  narrow.addEventListener("change", () => store.set({ narrow: narrow.matches }));
  wide.addEventListener("change", () => store.set({ wide: wide.matches }));
  for (const gesture of ["pointerdown", "keydown"]) {
    addEventListener(gesture, () => sounds.unlock(), { once: true });
  }
  addEventListener("online", () => act.socket.nudge());
  addEventListener("offline", () => act.socket.lost(0));
  for (const change of ["visibilitychange", "focus", "blur"]) {
    addEventListener(change, () => {
      attend(store.get(), attention);
      if (!document.hidden) act.socket.nudge();
    });
  }
  loadSprite(root.dataset.sprite);
  draw(root, store.get(), { act, attention, motion });
  act.start();
}

function draw(root, state, { act, attention, motion }) {
  const shown = { ...state, deck: state.narrow ? "large" : state.settings.deck };
  if (state.view && state.chosen.length === 1) {
    shown.preview = countAfter(state.view.count, state.chosen[0]);
  }
  motion.around(state.model, () => render(html`<${App} state=${shown} act=${act} />`, root));
  attend(state, attention);
}

function attend(state, attention) {
  if (!state.view || !state.table) return;
  const now = ask(state);
  attention.update(now.own, now.title);
}

function socketAddress(path) {
  const address = new URL(path, location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  return address.href;
}

/** The pace that the address or the page asks for, before the player's own choice. */
function forcedPace(root) {
  const asked = new URLSearchParams(location.search).get("pace") ?? root.dataset.pace;
  return PACES.includes(asked) ? asked : null;
}

/** The coach of a lesson, where the page brings what he says. */
function coachOf(match) {
  const script = document.getElementById("coach");
  return (
    script && new Coach({ script: JSON.parse(script.textContent), name: `cribbage.coach.${match}` })
  );
}

start(document.getElementById("table"));
