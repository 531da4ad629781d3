/* Entry point of the table page: reads the root element's data, and starts everything. */

import { html, render } from "../../vendor/preact/preact.js";
import { Announcer } from "../access/announcer.js";
import { keepFocus } from "../access/kept_focus.js";
import { Keyboard } from "../access/keyboard.js";
import * as preferences from "../access/preferences.js";
import { Sounds } from "../access/sounds.js";
import { CountSpeaker } from "../access/speech.js";
import { TabTitle } from "../access/tab_title.js";
import { dataOf, one } from "../ui/dom.js";
import { LongHidden } from "../ui/long_hidden.js";
import { createStore } from "../ui/store.js";
import { App } from "./app.js";
import { CardMotion } from "./card_motion.js";
import { loadSprite } from "./card_svg.js";
import { NO_CHAT } from "./chat_feed.js";
import { Coach } from "./coach.js";
import { Controller } from "./controller.js";
import { commitmentOf } from "./deal_commitment.js";
import { countAfter, requiredAction } from "./required_action.js";
import "../pages/register_worker.js";
import "../pages/theme_switch.js";

/** @import { Actions, Pace, Shown, TableState } from "./types.js" */

/** @type {Pace[]} */
const PACES = ["tap", "auto", "instant"];

/** @param {HTMLElement} root */
function start(root) {
  const settings = preferences.load();
  preferences.apply(settings);
  const narrow = matchMedia("(max-width: 759px), (max-height: 560px)");
  const wide = matchMedia("(min-width: 1120px)");
  const attention = new TabTitle();
  const coach = coachOf(dataOf(root, "match"));
  /** @type {TableState} */
  const first = {
    conn: "connecting",
    refused: null,
    refusedAgain: false,
    bye: null,
    table: null,
    ruleset: null,
    watchable: root.dataset.watchable !== undefined,
    branch: root.dataset.branch ?? null,
    exam: root.dataset.exam ?? null,
    tell: root.dataset.tell ?? null,
    plan: root.dataset.plan ?? null,
    afterwards: root.dataset.afterwards ?? null,
    unlisted: false,
    days: root.dataset.days ?? null,
    view: null,
    model: null,
    busy: false,
    blocking: false,
    coming: null,
    chosen: [],
    ahead: null,
    claimPoints: null,
    calling: false,
    callPoints: null,
    hint: null,
    hinting: null,
    coach: null,
    coached: false,
    lesson: coach !== null,
    sending: null,
    stored: null,
    notices: [],
    news: null,
    ...NO_CHAT,
    friends: [],
    panel: null,
    focusAt: 0,
    settings,
    clock: null,
    due: null,
    left: 0,
    fair: commitmentOf(),
    levels: JSON.parse(document.getElementById("levels")?.textContent ?? "[]"),
    narrow: narrow.matches,
    wide: wide.matches,
  };
  const motion = new CardMotion(root, () => preferences.isStill(store.get().settings));
  const store = createStore(first, (state) =>
    draw(root, state, { act: controller.actions, attention, motion }),
  );
  keepFocus(root);
  const announcer = new Announcer();
  const sounds = new Sounds(() => store.get().settings);
  const forced = forcedPace(root);
  // Nobody sees what would be played back, and the call to their turn would come after it.
  const away = coach ? null : new LongHidden(() => controller.playback.finish());
  /** @type {Controller} */
  const controller = new Controller({
    store,
    announcer,
    sounds,
    voice: new CountSpeaker(() => store.get().settings),
    url: socketAddress(dataOf(root, "socket")),
    match: dataOf(root, "match"),
    pace: () => (away?.now ? "instant" : forced),
    coach,
  });
  const act = controller.actions;
  new Keyboard({ store, act, announcer }).listen();
  narrow.addEventListener("change", () => store.set({ narrow: narrow.matches }));
  wide.addEventListener("change", () => store.set({ wide: wide.matches }));
  sounds.listen();
  addEventListener("online", () => controller.socket.nudge());
  addEventListener("offline", () => controller.socket.offline());
  for (const change of ["visibilitychange", "focus", "blur"]) {
    addEventListener(change, () => {
      if (!document.hidden) {
        store.set({ news: null });
        controller.socket.nudge();
        if (change !== "blur") controller.look();
      }
      attend(store.get(), attention);
    });
  }
  preferences.follow((settings) => act.take(settings));
  loadSprite(dataOf(root, "sprite"));
  const listed = root.dataset.listed; // the seconds for which it stays in the lobby
  if (listed) setTimeout(() => store.set({ unlisted: true }), Number(listed) * 1000);
  draw(root, store.get(), { act, attention, motion });
  controller.start();
}

/**
 * @param {HTMLElement} root
 * @param {TableState} state
 * @param {{ act: Actions, attention: TabTitle, motion: CardMotion }} props
 */
function draw(root, state, { act, attention, motion }) {
  /** @type {TableState & Pick<Shown, "deck" | "preview">} */
  const shown = { ...state, deck: state.narrow ? "large" : state.settings.deck };
  if (state.view && state.chosen.length === 1) {
    shown.preview = countAfter(state.view.count, state.chosen[0]);
  }
  motion.around(state.model, () => render(html`<${App} state=${shown} act=${act} />`, root));
  attend(state, attention);
}

/**
 * @param {TableState} state
 * @param {TabTitle} attention
 */
function attend(state, attention) {
  if (!state.view || !state.table) return;
  if (state.refused) return attention.update(false, "", null);
  const now = requiredAction(state);
  attention.update(now.own, now.title, state.news);
}

/** @param {string} path */
function socketAddress(path) {
  const address = new URL(path, location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  return address.href;
}

/**
 * The pace set by the address or the page, which overrides the player's setting.
 * @param {HTMLElement} root
 * @returns {Pace | null}
 */
function forcedPace(root) {
  const asked = new URLSearchParams(location.search).get("pace") ?? root.dataset.pace;
  return PACES.find((pace) => pace === asked) ?? null;
}

/**
 * The coach of a lesson, if the page has its script.
 * @param {string} match
 */
function coachOf(match) {
  const script = document.getElementById("coach");
  if (!script) return null;
  return new Coach({ script: JSON.parse(script.textContent), name: `cribbage.coach.${match}` });
}

start(one(document, "#table", HTMLElement));
